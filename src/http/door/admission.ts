import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './body.ts'

/**
 * Bounds how many requests are worked on at a time (decision 163). A request holds a place while it
 * is worked on: not while its body is still arriving, and not once its answer has been written,
 * whether or not it is read (decision 306). Places become free on the next turn of the event loop,
 * so that one turn starts no more than `inProgressMax`; `onRoom` is called then.
 */
export function admission(inProgressMax: number, onRoom: () => void) {
  let taken = 0
  let leaving = 0
  const turn = () => {
    taken -= leaving
    leaving = 0
    onRoom()
  }
  const leave = () => {
    if (leaving === 0) setImmediate(turn)
    leaving += 1
  }

  return {
    inProgress: () => taken,
    /** Whether there is room for one more; it then has a place until its answer is made. */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      if (taken >= inProgressMax) return false
      taken += 1
      let isHeld = true
      onceWritten(response, () => {
        if (isHeld) leave()
        isHeld = false
      })
      if (hasBody(request)) setImmediate(awaitBody)
      return true

      function awaitBody(): void {
        if (request.complete || !isHeld) return
        isHeld = false
        leave()
        request.once('end', () => {
          if (response.writableEnded) return
          isHeld = true
          taken += 1
        })
      }
    },
  }
}

/** Node has an event for delivery ('finish'), but none for the call to `end`. */
function onceWritten(response: ServerResponse, done: () => void): void {
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse
  response.end = (...given: unknown[]) => {
    done()
    return end(...given)
  }
}
