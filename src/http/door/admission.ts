import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from './unreadBody.ts'

/** Bounds how many requests are worked on at a time (decision 163). */
export interface Admission {
  /** Whether there is room for one more; it then has a place until it was answered or given up. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  inProgress(): number
}

/**
 * An answered request keeps its place until the event loop has turned: of what had piled up while
 * the loop was busy one turn works off no more than `inProgressMax`, however quickly each is
 * answered. A request whose body is still on its way holds no place, since slow callers must not
 * keep out others. `onRoom` is told when places have become free.
 */
export function admission(inProgressMax: number, onRoom: () => void): Admission {
  const placesOf = new WeakMap<Socket, Set<Place>>()
  let taken = 0
  let leaving = 0
  const turn = () => {
    taken -= leaving
    leaving = 0
    onRoom()
  }
  const count = {
    up: () => {
      taken += 1
    },
    down: () => {
      if (leaving === 0) setImmediate(turn)
      leaving += 1
    },
  }

  return {
    inProgress: () => taken,
    admit(request, response) {
      if (taken >= inProgressMax) return false
      const places = placesOf.get(request.socket) ?? placesOn(request.socket)
      placesOf.set(request.socket, places)
      const place = new Place(count)
      places.add(place)
      response.once('close', () => {
        places.delete(place)
        place.leave()
      })
      if (hasBody(request)) setImmediate(() => place.awaitBody(request))
      return true
    },
  }
}

/**
 * A pipelined response gets no `close` when its connection breaks: all places of the socket leave.
 */
function placesOn(socket: Socket): Set<Place> {
  const places = new Set<Place>()
  socket.once('close', () => {
    for (const place of places) place.leave()
  })
  return places
}

/** One request's place among those in progress. */
class Place {
  readonly #count: { up(): void; down(): void }
  #state: 'held' | 'waiting' | 'left' = 'held'

  constructor(count: { up(): void; down(): void }) {
    this.#count = count
    count.up()
  }

  /** Gives the place up until the body has arrived. */
  awaitBody(request: IncomingMessage): void {
    if (request.complete || this.#state !== 'held') return
    this.#state = 'waiting'
    this.#count.down()
    request.once('end', () => {
      if (this.#state !== 'waiting') return
      this.#state = 'held'
      this.#count.up()
    })
  }

  leave(): void {
    if (this.#state === 'held') this.#count.down()
    this.#state = 'left'
  }
}
