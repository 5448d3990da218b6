interface Waiting<Request, Result> {
  readonly request: Request
  resolve(result: Result | Promise<Result>): void
  reject(error: unknown): void
}

/**
 * Batches calls made in the same event-loop tick into one, of `batchMax` requests at most. `call`
 * returns one result per request, in the same order; if `call` fails, the whole batch fails.
 */
export function batchPerTick<Request, Result>(
  batchMax: number,
  call: (requests: readonly Request[]) => Promise<readonly (Result | Promise<Result>)[]>,
): (request: Request) => Promise<Result> {
  let waiting: Waiting<Request, Result>[] = []

  function callAll(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += batchMax) {
      void callBatch(all.slice(start, start + batchMax))
    }
  }

  async function callBatch(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await call(batch.map(({ request }) => request))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      // Unlike a microtask, setImmediate runs after all sockets that are ready in this tick are read.
      if (waiting.length === 0) setImmediate(callAll)
      waiting.push({ request, resolve, reject })
    })
}
