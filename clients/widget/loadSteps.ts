import { loadPart } from './loadPart.ts'

const importSteps = () => import('./lazy/steps.ts')
let first: Awaited<ReturnType<typeof importSteps>> | undefined

/** Loads the later steps. After lost requests, concurrent calls may load several copies: all use the first. */
export async function loadSteps(signal: AbortSignal) {
  const loaded = first ?? (await loadPart('steps', importSteps, signal))
  first ??= loaded
  return first
}

/** Loads the later steps before they are needed. */
export const prefetchSteps = () => importSteps().catch(() => {})
