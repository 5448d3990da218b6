import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Many times what any client sends ahead. */
const aheadMax = 100

/**
 * Handles the requests of a connection one after the other, each when the answer to the one before
 * has been taken: whoever asks ahead keeps nobody else waiting, and whoever reads nothing has
 * nothing done for him. Who asks too far ahead is cut off, since Node reads on (decision 307).
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>()
  return (request, response) => {
    const { socket } = request
    const begin = () => {
      response.once('close', beginNext)
      handle(request, response)
    }
    const beginNext = () => {
      const next = waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else if (!socket.destroyed) next()
    }
    const ahead = waiting.get(socket)
    if (ahead === undefined) {
      waiting.set(socket, [])
      begin()
    } else if (ahead.push(begin) >= aheadMax) socket.destroy()
  }
}
