import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Several times what any client sends ahead. */
const unansweredMax = 100

/**
 * Cuts off a connection on which too many answers wait to be taken: each keeps its request in
 * memory, and Node reads on (decision 307).
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>()
  const add = (socket: Socket, change: 1 | -1) => {
    const count = (unanswered.get(socket) ?? 0) + change
    unanswered.set(socket, count)
    return count
  }
  return (request, response) => {
    const { socket } = request
    if (add(socket, 1) > unansweredMax) {
      socket.destroy()
      return
    }
    response.once('close', () => add(socket, -1))
    handle(request, response)
  }
}
