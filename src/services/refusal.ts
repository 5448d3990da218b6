/** What an operator asked for and can't have; the message says why, in words for the terminal. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** What can't be right whatever the database holds: a misspelt id, scope, limit or origin. */
export class WrongUsage extends Refusal {}

const lists: Readonly<Record<string, string>> = {
  'API key': 'keys list --tenant SLUG',
  booking: 'bookings list --tenant SLUG --status all',
}

/** For an id of which there is no `what`, such as a booking. */
export function unknownId(what: string, id: string): Refusal {
  const list = lists[what]
  const advice = list === undefined ? '' : ` List them with \`rental ${list}\`.`
  return new Refusal(`There is no ${what} with the ID ${id}.${advice}`)
}
