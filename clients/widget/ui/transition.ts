const calm = '(prefers-reduced-motion: reduce)'

/** Replaces the content of the page, with a view transition where the browser has it. */
export async function swap(isInstant: boolean, replace: () => void): Promise<void> {
  if (isInstant || !document.startViewTransition || matchMedia(calm).matches) return replace()
  const transition = document.startViewTransition(replace)
  // A transition that is skipped, for example in a hidden tab, still replaces the content.
  transition.ready.catch(() => {})
  transition.finished.catch(() => {})
  await transition.updateCallbackDone
}
