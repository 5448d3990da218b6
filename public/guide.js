// Shows one language of each group of code blocks, and adds the buttons that copy code.
// Without scripts, all blocks are visible.

const stored = 'guide-language'
const read = () => {
  try {
    return localStorage.getItem(stored)
  } catch {
    return null
  }
}
const groups = [...document.querySelectorAll('.tabs')]
const codeOf = (block) => block.querySelector('code').textContent

function button(label, className) {
  return Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: label,
    className,
  })
}

function copyButton(label, text) {
  const copy = button(label, 'copy')
  copy.setAttribute('aria-live', 'polite')
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text())
      copy.textContent = 'Copied'
    } catch {
      copy.textContent = 'Select the text and copy it'
    }
    setTimeout(() => {
      copy.textContent = label
    }, 2000)
  })
  return copy
}

for (const block of document.querySelectorAll('.code:not(.response)')) {
  block.querySelector('.caption').after(copyButton('Copy', () => codeOf(block)))
}

/** Shows the language in all groups; keeps the clicked group where it is on the screen. */
function choose(language, from) {
  const top = from?.getBoundingClientRect().top
  for (const group of groups) {
    for (const tab of group.querySelectorAll('[role=tab]')) {
      const chosen = tab.textContent === language
      tab.ariaSelected = String(chosen)
      tab.tabIndex = chosen ? 0 : -1
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !chosen
    }
  }
  whole.hidden = language === 'curl'
  if (from) scrollBy(0, from.getBoundingClientRect().top - top)
  try {
    localStorage.setItem(stored, language)
  } catch {
    // Storage is off: the choice lasts until the page is closed.
  }
}

const chosenLanguage = () => groups[0].querySelector('[aria-selected=true]').textContent
const whole = copyButton('Copy the whole program', () =>
  groups
    .map((group) => codeOf(group.querySelector(`[data-tab="${chosenLanguage()}"]`)))
    .join('\n\n'),
)

for (const [number, group] of groups.entries()) {
  const list = document.createElement('div')
  list.role = 'tablist'
  list.ariaLabel = 'Language'
  for (const block of group.querySelectorAll('.code')) {
    const language = block.dataset.tab
    const tab = button(language, '')
    tab.role = 'tab'
    tab.id = `tab-${number}-${language}`
    block.id = `code-${number}-${language}`
    block.role = 'tabpanel'
    block.setAttribute('aria-labelledby', tab.id)
    tab.setAttribute('aria-controls', block.id)
    tab.addEventListener('click', () => choose(language, tab))
    list.append(tab)
  }
  list.addEventListener('keydown', (event) => {
    const tabs = [...list.children]
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = tabs.at((tabs.indexOf(document.activeElement) + step) % tabs.length)
    next.focus()
    choose(next.textContent, next)
    event.preventDefault()
  })
  group.prepend(list)
}
if (groups.length > 0) {
  groups.at(-1).append(whole)
  const known = [...groups[0].querySelectorAll('[role=tab]')].map((tab) => tab.textContent)
  const wanted = read()
  choose(known.includes(wanted) ? wanted : known[0])
}

// Marks the section on screen in the contents.
const links = new Map(
  [...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]),
)
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      for (const [id, link] of links) link.ariaCurrent = id === target.id ? 'true' : null
    }
  },
  { rootMargin: '0px 0px -75% 0px' },
)
for (const id of links.keys()) observer.observe(document.getElementById(id))
