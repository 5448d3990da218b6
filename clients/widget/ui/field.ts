import { make } from './dom.ts'

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export const isField = (element: unknown): element is Field =>
  element instanceof HTMLElement && 'value' in element && !(element instanceof HTMLButtonElement)

/** Shows an error at a field until the visitor changes the field, or anything in `scope`. */
export function markField(field: Field, message: string, scope: HTMLElement = field): void {
  const id = `${field.name}-error`
  if (field.nextElementSibling?.id === id) field.nextElementSibling.remove()
  const error = make('p', { id, className: 'error' }, message)
  field.after(error)
  field.ariaInvalid = 'true'
  field.setAttribute('aria-describedby', id)
  field.closest('details')?.toggleAttribute('open', true)
  const clearError = () => {
    field.ariaInvalid = null
    field.removeAttribute('aria-describedby')
    error.remove()
  }
  scope.addEventListener('input', clearError, { once: true })
}
