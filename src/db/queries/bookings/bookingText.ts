import type { StatementRunner } from '../../connection/database.ts'

/** Text of a booking that is compared with what staff typed. */
export interface BookingText {
  readonly id: string
  readonly text: string
  readonly phone: string | null
}

const pageRows = 10_000
const nilId = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the IDs of the bookings `b` of `from` whose text matches. Compares in the application, by
 * Unicode's rules: `lower` in SQL depends on the locale of the database. Pages limit the memory.
 * @param text the SQL expression of the text
 * @param from the SQL of the tables and conditions, with `values`
 */
export async function findByText(
  { pool }: Pick<StatementRunner, 'pool'>,
  text: string,
  from: string,
  values: readonly unknown[],
  matches: (booking: BookingText) => boolean,
): Promise<string[]> {
  const page = `select b.id, ${text} as text, b.customer_phone as phone
    ${from} and b.id > $${values.length + 1} order by b.id limit ${pageRows}`
  const ids: string[] = []
  for (let last = nilId; ; ) {
    const statement = { text: page, values: values.concat(last) }
    const { rows } = await pool.query<BookingText>(statement)
    for (const booking of rows) if (matches(booking)) ids.push(booking.id)
    const end = rows.at(-1)
    if (end === undefined) return ids
    last = end.id
  }
}
