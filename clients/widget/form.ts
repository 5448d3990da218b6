import { RentalApiError } from '../typescript/index.ts'
import { make } from './dom.ts'
import { explain, type Problem } from './explain.ts'
import type { Flow } from './flow.ts'
import type { Messages } from './messages/en.ts'
import { noticeOf } from './notice.ts'
import { type Bar, bar } from './parts.ts'
import type { Texts } from './texts.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export const isField = (element: unknown): element is Field =>
  element instanceof HTMLElement && 'value' in element

/** Shows an error at a field until the visitor changes the field. */
export function markField(field: Field, message: string): void {
  const group = field.type === 'radio' ? field.closest('fieldset') : null
  const place = group?.querySelector('legend') ?? field
  const id = `${field.name}-error`
  if (place.nextElementSibling?.id === id) place.nextElementSibling.remove()
  const error = make('p', { id, className: 'error' }, message)
  place.after(error)
  field.ariaInvalid = 'true'
  field.setAttribute('aria-describedby', id)
  const clearError = () => {
    field.ariaInvalid = null
    field.removeAttribute('aria-describedby')
    error.remove()
  }
  const changed = group ?? field
  changed.addEventListener('input', clearError, { once: true })
}

/** Marks empty required fields and focuses the first. Returns true if there are none. */
function checkFields(form: HTMLFormElement, { t }: Texts): boolean {
  // Only empty fields: the step itself reports values out of range.
  const wrong = [...form.elements].filter(isField).filter(({ validity }) => validity.valueMissing)
  // Every radio button of an invalid group is reported. Mark the fields in reverse order, so that
  // the first radio button has the mark.
  for (const field of wrong.toReversed()) {
    markField(field, t(field.type === 'radio' ? 'choose' : 'missing'))
  }
  wrong[0]?.focus()
  return wrong.length === 0
}

const fieldTexts: Readonly<Record<string, keyof Messages>> = {
  email: 'wrongEmail',
  phone: 'wrongPhone',
}

/** Marks the fields in the error's details, by the last part of their paths; true if there are any. */
function markDetails(form: HTMLFormElement, error: unknown, { t }: Texts): boolean {
  const details = error instanceof RentalApiError ? error.details : []
  const marked = details.flatMap(({ path, message }) => {
    const name = path.replace(/^.*\./, '')
    const field = form.elements.namedItem(name)
    if (!isField(field)) return []
    markField(field, t(fieldTexts[name] ?? 'wrong', { message }))
    return [field]
  })
  marked[0]?.focus()
  return marked.length > 0
}

export interface Submission extends Bar {
  readonly form: HTMLFormElement
  /** Returns the text of the button while the request runs. */
  progress(): keyof Messages
  run(): Promise<void>
  /** Runs after a problem was shown. */
  onProblem?(problem: Problem): void
}

/**
 * Appends the bar to a form, runs the request on submit and shows errors, at the fields if possible.
 * Entered values are kept. Returns the submit button, and `attempt` for other buttons of the form.
 */
export function onSubmit(flow: Flow, submission: Submission) {
  const { texts, announce, emit } = flow
  const { form } = submission
  const notice = noticeOf(texts, announce)
  const { element, submit } = bar(flow, submission)

  /** Runs one request at a time. */
  async function attempt(
    button: HTMLButtonElement,
    { progress, run, onProblem }: Pick<Submission, 'progress' | 'run' | 'onProblem'>,
  ): Promise<void> {
    if (button.ariaDisabled) return
    notice.clear()
    const usual = button.textContent
    // `disabled` would remove the focus from the button.
    const show = (text: string, busy: string | null) => {
      button.textContent = text
      button.ariaDisabled = busy
      announce(busy ? text : '')
    }
    show(texts.t(progress()), 'true')
    try {
      await run()
      // A step that replaced the form makes its own announcements.
      if (form.isConnected) show(usual, null)
    } catch (error) {
      if (!form.isConnected) return
      show(usual, null)
      const problem = explain(error, { marked: markDetails(form, error, texts) })
      notice.show(problem, () => button.click())
      emit('failed', error)
      onProblem?.(problem)
    }
  }
  form.noValidate = true
  form.onsubmit = (event) => {
    event.preventDefault()
    if (checkFields(form, texts)) void attempt(submit, submission)
  }
  form.append(notice.element, element)
  return { submit, attempt }
}
