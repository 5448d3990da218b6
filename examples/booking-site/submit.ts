import { RentalApiError } from '../../clients/typescript/index.ts'
import { announce } from './dom.ts'
import { checkFields, markDetails } from './fieldErrors.ts'
import { explain, type Problem } from './messages.ts'
import { noticeOf } from './notice.ts'

export interface Submission {
  readonly section: HTMLElement
  readonly form: HTMLFormElement
  /** Said while it lasts. */
  readonly progress: string
  run(): Promise<void>
  /** Told of a problem after it was shown. */
  onProblem?(problem: Problem, error: unknown): void
}

/**
 * Runs a form's request when it is submitted, one at a time, and shows what goes wrong: at the
 * fields where it can. Nothing the visitor typed is touched. Returns a way to submit it by hand.
 */
export function onSubmit({ section, form, progress, run, onProblem }: Submission): () => void {
  const notice = noticeOf(section)
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  let running = false

  async function submit(): Promise<void> {
    if (running || !checkFields(form)) return
    running = true
    notice.clear()
    // Not `disabled`, which would take the keyboard's focus away.
    if (button !== null) button.ariaDisabled = 'true'
    section.ariaBusy = 'true'
    announce(progress)
    try {
      await run()
      announce('')
    } catch (error) {
      announce('')
      const details = error instanceof RentalApiError ? error.details : []
      const problem = explain(error, markDetails(form, details))
      notice.show(problem, () => void submit())
      onProblem?.(problem, error)
    } finally {
      running = false
      section.ariaBusy = null
      if (button !== null) button.ariaDisabled = null
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  return () => void submit()
}
