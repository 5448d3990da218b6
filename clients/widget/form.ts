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

/** Says at a field what is wrong with it; taken back as soon as the visitor mends it. */
export function markField(field: Field, message: string): void {
  const group = field.type === 'radio' ? field.closest('fieldset') : null
  const place = group?.querySelector('legend') ?? field
  const id = `${field.name}-error`
  if (place.nextElementSibling?.id === id) place.nextElementSibling.remove()
  const error = make('p', { id, className: 'error' }, message)
  place.after(error)
  field.ariaInvalid = 'true'
  field.setAttribute('aria-describedby', id)
  const mended = () => {
    field.ariaInvalid = null
    field.removeAttribute('aria-describedby')
    error.remove()
  }
  const changed = group ?? field
  changed.addEventListener('input', mended, { once: true })
}

/** Marks what is missing, and goes to the first of it; true when nothing is. */
function checkFields(form: HTMLFormElement, { t }: Texts): boolean {
  // What is out of range is not missing: the step itself says what is wrong with it.
  const wrong = [...form.elements].filter(isField).filter(({ validity }) => validity.valueMissing)
  // The buttons of a group all miss the same answer: marked again, only the first keeps the mark.
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

/** Marks the fields that the API names, by the last part of their paths; whether it names any. */
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
  /** Said while it lasts, to eyes by the button. */
  progress(): keyof Messages
  run(): Promise<void>
  /** Told of a problem after it was shown. */
  onProblem?(problem: Problem): void
}

/**
 * Ends a form with its bar, runs its request when it is submitted, and shows what goes wrong: at the
 * fields where it can. Nothing the visitor typed is touched. Returns the button, and how another of
 * the form does the same.
 */
export function onSubmit(flow: Flow, submission: Submission) {
  const { texts, announce, emit } = flow
  const { form } = submission
  const notice = noticeOf(texts, announce)
  const { element, submit } = bar(flow, submission)

  /** One at a time. */
  async function attempt(
    button: HTMLButtonElement,
    { progress, run, onProblem }: Pick<Submission, 'progress' | 'run' | 'onProblem'>,
  ): Promise<void> {
    if (button.ariaDisabled) return
    notice.clear()
    const usual = button.textContent
    // Not `disabled`, which would take the keyboard's focus away.
    const show = (text: string, busy: string | null) => {
      button.textContent = text
      button.ariaDisabled = busy
      announce(busy ? text : '')
    }
    show(texts.t(progress()), 'true')
    try {
      await run()
      // What came in its place says itself what goes on there.
      if (form.isConnected) show(usual, null)
    } catch (error) {
      // In a step that was left nobody would see it.
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
