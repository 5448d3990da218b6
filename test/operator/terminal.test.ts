import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
/** A tab, an escape, its C1 form, and marks that override and never end. */
const hostile = '\t\u001b[31mred\u009b1mbold\u202eturned\u2067\u05d0'

describe('names that were stored before the rules of input', () => {
  it.each([
    ['tenants', 'list'],
    ['keys', 'list', '--tenant', 'north'],
    ['bookings', 'list', '--tenant', 'north'],
    ['quotes', 'explain', 'QUOTE'],
    ['audit'],
    ['fleet', 'import', hostile],
  ])('neither control the terminal nor turn what is beside them: %s %s', async (...typed) => {
    const { pool } = operator.database
    for (const table of ['tenants', 'api_keys', 'asset_groups', 'rates', 'extras']) {
      await pool.query(`update ${table} set name = $1`, [hostile])
    }
    await pool.query('update asset_groups set ref = $1', [hostile])
    const quoteId = await operator.rental.quote('2031-03-01T08:00:00Z', '2031-03-02T08:00:00Z')
    await operator.rental.book('2031-03-01T08:00:00Z', '2031-03-02T08:00:00Z')
    await pool.query(`update bookings set status = 'confirmed', customer_last_name = $1`, [hostile])
    await pool.query('update assets set archived_at = now()')
    const argv = typed.map((word) => (word === 'QUOTE' ? quoteId : word))
    const text = await operator.run(...argv)
    expect(text.out + text.error).toContain('red')
    expect(text.out + text.error).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2067]/u)
    if (typed[0] === 'quotes') expect(text.out).toContain('\u2068')
    const opened = (text.out.match(/\u2068/g) ?? []).length
    expect((text.out.match(/\u2069/g) ?? []).length).toBe(opened)
    const { out } = await operator.run(...argv, '--json')
    expect(out).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
    if (out !== '') expect(JSON.stringify(JSON.parse(out))).toContain('\u202e')
  })
})

describe('a group by any name', () => {
  it.each([
    ['wide', '山田自動車の七人乗りワゴン車、長距離向け、荷物がたくさん積めます。自動変速機'],
    ['of emoji', '👨‍👩‍👧‍👦🚐 7️⃣ 🇳🇴'],
    ['of sixty letters', 'Mehrzweckfahrzeug mit Anhängerkupplung und sieben Sitzplätzen'],
    ['of one word', 'Kraftfahrzeughaftpflichtversicherungsgesellschaftsfahrzeugflotte'.repeat(2)],
    ['from right to left', 'סיירת עם שבעה מושבים (אוטומטית)'],
  ])('keeps to the lines of every screen: %s', async (_, name) => {
    const { pool } = operator.database
    await pool.query('update asset_groups set name = $1', [name])
    // So each confirmation is refused, which names the group.
    await pool.query('update assets set archived_at = now()')
    await pool.query(`update rates set name = $1`, [name.slice(0, 40)])
    const id = await operator.rental.book('2038-03-01T08:00:00Z', '2038-03-02T08:00:00Z')
    for (const columns of [80, 60]) {
      const run = (argv: string[]) =>
        commandLineOn(operator.url)(argv, { columns, stdin: 'c\nq\n' })
      const tenant = ['--tenant', 'north']
      const screens = [
        await run(['bookings', 'list', ...tenant]),
        await run(['bookings', 'show', id]),
        await run(['fleet', 'show', ...tenant]),
        await run(['bookings', 'review', '--plain', ...tenant, '--as', 'Kari']),
      ]
      const first = [...new Intl.Segmenter().segment(name)][0]?.segment
      for (const { out } of screens) {
        expect(out).toContain(first)
        expect(out.split('\n').filter((line) => stringWidth(line) > columns)).toEqual([])
        expect((out.match(/\u2069/g) ?? []).length).toBe((out.match(/\u2068/g) ?? []).length)
      }
    }
    await pool.query('update bookings set status = $1', ['rejected'])
  })
})
