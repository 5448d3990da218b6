/** What an operator asked for and can't have; the message says why, in words for the terminal. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** What can't be right whatever the database holds: a misspelt id, scope, limit or origin. */
export class WrongUsage extends Refusal {}

/** For an id of which there is no `what`, such as a booking. */
export const unknownId = (what: string, id: string) =>
  new Refusal(
    `There is no ${what} with the ID ${id}. ` +
      `List them with \`rental ${what === 'API key' ? 'keys list' : 'bookings list --status all'}\`.`,
  )
