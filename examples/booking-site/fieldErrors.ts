import { make } from './dom.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function isField(element: Element | RadioNodeList | null): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

/** Says at a field what is wrong with it; taken back as soon as the visitor changes it. */
export function markField(field: Field, message: string): void {
  unmarkField(field)
  const error = make('p', { id: errorId(field), className: 'field-error' }, message)
  field.ariaInvalid = 'true'
  field.setAttribute('aria-describedby', error.id)
  const group = field.type === 'radio' ? field.closest('fieldset') : null
  if (group === null) field.after(error)
  else group.querySelector('legend')?.after(error)
  // Of a group, choosing another one is an answer too.
  const changed = group ?? field
  changed.addEventListener('input', () => unmarkField(field), { once: true })
}

function unmarkField(field: Field): void {
  field.ariaInvalid = null
  field.removeAttribute('aria-describedby')
  document.getElementById(errorId(field))?.remove()
}

const errorId = (field: Field) => `${field.id === '' ? field.name : field.id}-error`

/** Marks what the browser itself finds wrong and goes to the first; true when nothing is. */
export function checkFields(form: HTMLFormElement): boolean {
  const wrong = [...form.elements].filter(isField).filter((field) => !field.validity.valid)
  // The buttons of a group all miss the same answer: marked again, only the first keeps the mark.
  for (const field of wrong.toReversed()) markField(field, field.validationMessage)
  wrong[0]?.focus()
  return wrong.length === 0
}

/** Marks the fields that the API names, by the last part of their paths; false when it names none. */
export function markDetails(
  form: HTMLFormElement,
  details: readonly { readonly path: string; readonly message: string }[],
): boolean {
  const marked = details.flatMap(({ path, message }) => {
    const field = form.elements.namedItem(path.replace(/^.*\./, ''))
    if (!isField(field)) return []
    markField(field, `This ${message}.`)
    return [field]
  })
  marked[0]?.focus()
  return marked.length > 0
}
