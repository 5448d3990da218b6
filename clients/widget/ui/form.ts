import { explain, isApiError, type Problem } from '../explain.ts'
import type { Flow } from '../flow.ts'
import type { MessageId } from '../messages/en.ts'
import type { Texts } from '../texts.ts'
import { type Bar, bar } from './bar.ts'
import { make } from './dom.ts'
import { noticeOf } from './notice.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

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

const fieldTexts: Readonly<Record<string, MessageId>> = {
  email: 'wrongEmail',
  phone: 'wrongPhone',
}

/** Marks empty and malformed fields and shows the first. Returns true if there are none. */
function checkFields(form: HTMLFormElement, { message }: Texts): boolean {
  // The step itself reports values out of range.
  const wrong = [...form.elements]
    .filter(isField)
    .filter(({ validity }) => validity.valueMissing || validity.patternMismatch)
  for (const field of wrong) {
    const text = field.validity.valueMissing ? 'missing' : (fieldTexts[field.name] ?? 'wrong')
    markField(field, message(text))
  }
  showField(wrong[0])
  return wrong.length === 0
}

function showField(field: Field | undefined): void {
  field?.focus()
  field?.scrollIntoView({ block: 'center' })
}

/** Marks the fields in the error's details, by the last part of their paths, and returns them. */
function markDetails(form: HTMLFormElement, error: unknown, { message: say }: Texts): Field[] {
  const details = isApiError(error) ? error.details : []
  return details.flatMap(({ path, message }) => {
    const name = path.replace(/^.*\./, '')
    const field = form.elements.namedItem(name)
    if (!isField(field)) return []
    markField(field, say(fieldTexts[name] ?? 'wrong', { message }))
    return [field]
  })
}

/** A wish of the visitor that a button starts. */
export interface Task {
  /** Returns the text of the button while the task runs. */
  progress?(): MessageId
  run(wish: AbortSignal): Promise<void>
  /** Runs after a problem was shown. */
  onProblem?(problem: Problem): void
  /** Whether the request is sent again by itself when the network is back. */
  readonly resumes?: boolean
}

/** `isPrimary`: after an error, the button itself offers the retry. */
export type Attempt = (button: HTMLButtonElement, task: Task, isPrimary?: boolean) => Promise<void>

/**
 * Returns a function that runs the tasks of a form and shows their errors, at the fields if possible,
 * until the visitor has another wish. Entered values are kept.
 */
export function attempts(flow: Flow, form: HTMLFormElement) {
  const { texts, announce, emit } = flow
  const notice = noticeOf(flow)
  const attempt: Attempt = async (button, task, isPrimary = false) => {
    const { progress, run, onProblem, resumes } = task
    if (button.ariaDisabled === 'true') return
    const wish = flow.wish()
    notice.clear()
    const usual = [...button.childNodes]
    const text = progress && texts.message(progress())
    const setBusy = (isBusy: boolean) => {
      // `disabled` would remove the focus from the button.
      button.ariaDisabled = isBusy ? 'true' : null
      button.ariaBusy = button.ariaDisabled
      if (text) button.replaceChildren(...(isBusy ? [text] : usual))
      announce((isBusy && text) || '')
    }
    setBusy(true)
    wish.onabort = () => setBusy(false)
    try {
      await run(wish)
      // A step that replaced the form makes its own announcements.
      if (!wish.aborted && form.isConnected) setBusy(false)
    } catch (error) {
      if (wish.aborted || !form.isConnected) return
      setBusy(false)
      const marked = markDetails(form, error, texts)
      const problem = explain(error, { marked: marked.length > 0 })
      const retry = () => button.click()
      notice.show(problem, retry, resumes, isPrimary ? button : undefined)
      showField(marked[0])
      emit('failed', error)
      onProblem?.(problem)
    }
    // The problem is that of a wish that the visitor may replace.
    wish.onabort = notice.clear
  }
  form.noValidate = true
  return { notice: notice.element, attempt }
}

export interface Submission extends Bar, Task {
  readonly form: HTMLFormElement
}

/** Appends the bar to a form and runs the task on submit. */
export function onSubmit(flow: Flow, submission: Submission) {
  const { form } = submission
  const { notice, attempt } = attempts(flow, form)
  const { element, submit, goBack } = bar(flow, submission)
  form.onsubmit = (event) => {
    event.preventDefault()
    if (checkFields(form, flow.texts)) void attempt(submit, submission, true)
  }
  form.append(notice, element)
  return { submit, goBack, attempt }
}
