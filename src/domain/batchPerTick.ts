interface Waiting<Asked, Answer> {
  readonly asked: Asked
  resolve(answer: Answer | Promise<Answer>): void
  reject(error: unknown): void
}

/**
 * Puts what is asked within one turn of the event loop into one call, `sharedMax` at most: its price
 * is then paid once. `call` has an answer to each, in their order; when it fails, all fail.
 */
export function batchPerTick<Asked, Answer>(
  sharedMax: number,
  call: (asked: readonly Asked[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = []

  function callForAll(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += sharedMax) {
      void callFor(all.slice(start, start + sharedMax))
    }
  }

  async function callFor(shared: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await call(shared.map(({ asked }) => asked))
      for (const [index, { resolve }] of shared.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of shared) reject(error)
    }
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      // Runs after the sockets that are ready in this turn have been read.
      if (waiting.length === 0) setImmediate(callForAll)
      waiting.push({ asked, resolve, reject })
    })
}
