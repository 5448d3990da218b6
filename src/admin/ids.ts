import { Refusal } from '../services/refusal.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * An id as it can be looked up.
 * @throws Refusal for what can't be the id of anything
 */
export function checkId(what: string, id = ''): string {
  if (!uuid.test(id)) throw new Refusal(`"${id}" is not the id of ${what}.`)
  return id.toLowerCase()
}
