import { explain, isApiError } from '../explain.ts'
import type { Flow } from '../flow.ts'
import type { MessageId } from '../messages/en.ts'
import type { Texts } from '../texts.ts'
import { bar } from './bar.ts'
import { type Field, isField, markField } from './field.ts'
import { noticeOf } from './notice.ts'
import type { Attempt, Submission } from './types.ts'

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
