/** Returns the longest valid beginning of a language tag: pages write `de_DE`, `pt-PT-ao90` or `{{ lang }}`. */
function validLocale(tag: string): string | undefined {
  for (const parts = tag.trim().split(/[-_]/); parts.length > 0; parts.pop()) {
    try {
      return String(new Intl.Locale(parts.join('-')))
    } catch {}
  }
  return undefined
}

/** Returns the page's locale, or the visitor's if the page has none or only the same language. */
export function localeOf(element: HTMLElement): string {
  const written = validLocale(element.closest<HTMLElement>('[lang]')?.lang ?? '')
  const visitors = validLocale(navigator.language) ?? 'en'
  return written === undefined || visitors.startsWith(`${written}-`) ? visitors : written
}
