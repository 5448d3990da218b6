import { describe, expect, it } from 'vitest'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run, json } = commands

// Constant, because test titles contain it.
const unknown = '00000000-0000-4000-8000-000000000000'
const noKey = `There is no API key with the ID ${unknown}. List them with \`rental keys list\`.\n`
const secret = `pk_live_${'x'.repeat(38)}`
const secretTyped =
  'This is the secret of an API key, not an ID. `rental keys list` shows the IDs.\n'

describe('rental keys', () => {
  const create = ['keys', 'create', '--tenant', 'north', '--name', 'site', '--scopes', 'all']

  it('creates, lists, shows, rotates, changes and revokes a key', async () => {
    const more = ['--origins', 'https://a.example,https://*.b.example', '--limit', 'reads=600']
    const limits = ['--limit', 'bookingsPerDay=7', '--expires', '2035-01-01T00:00:00+01:00']
    const created = await json(...create, ...more, ...limits)
    expect(created).toMatchObject({
      origins: ['https://a.example', 'https://*.b.example'],
      limits: { reads: 600, bookingsPerDay: 7 },
      expiresAt: '2034-12-31T23:00:00.000Z',
    })
    const listed = (await run('keys', 'list', '--tenant', 'north')).out
    expect(listed).toContain(`${created.prefix}…${created.last4}`)
    expect(listed).toContain('reads=600, bookingsPerDay=7')
    expect(listed).toContain('until 2034-12-31T23:00:00.000Z')
    expect(listed).not.toContain(created.key)
    const shown = (await run('keys', 'show', created.id)).out
    for (const text of [listed, shown])
      for (const names of [created.scopes, created.origins])
        expect(text).toContain(names.join(', '))

    const rotated = await json('keys', 'rotate', created.id, '--overlap', '12h')
    const { prefix, last4 } = created
    expect(rotated).toMatchObject({
      id: created.id,
      limits: created.limits,
      replaced: [{ prefix, last4, endsAt: expect.any(String) }],
    })
    const both = (await run('keys', 'list', '--tenant', 'north')).out
    const lineOf = (key: { prefix: string; last4: string }) =>
      both.split('\n').find((line) => line.includes(`${key.prefix}…${key.last4}`))
    expect(lineOf(created)).toContain(`until ${rotated.replaced[0].endsAt}`)
    expect(lineOf(rotated)).toContain('until 2034-12-31T23:00:00.000Z')
    expect(
      both.match(new RegExp(`${created.id} .*`, 'g'))?.filter((line) => / site /.test(line)),
    ).toHaveLength(1)
    await commands.database.pool.query(
      `update api_key_secrets set created_at = '2030-01-02 03:04Z', last_used_at = '2030-01-03 04:05Z'
       where last4 = $1`,
      [created.last4],
    )
    const show = ['keys', 'show', created.id]
    const page = (await commandLineOn(commands.url)(show, { columns: 80 })).out
    expect(page).toMatch(/^times in +Europe\/Oslo$/m)
    expect(page).toMatch(/^expires +2035-01-01 00:00$/m)
    expect(page).toMatch(/ 2030-01-02 04:04 +2030-01-03 05:05$/m)
    expect(page).toMatch(/^pk_live_\w+…\w+ +until 2035-01-01 00:00 +\d{4}-.{11} +not seen yet$/m)
    const change = [
      '--name',
      'shop',
      '--limit',
      'reads=default',
      '--add-origin',
      'https://c.example',
      '--add-origin',
      'https://d.example',
    ]
    expect(await json('keys', 'set', created.id, ...change)).toMatchObject({
      name: 'shop',
      limits: { bookingsPerDay: 7 },
      origins: [
        'https://a.example',
        'https://*.b.example',
        'https://c.example',
        'https://d.example',
      ],
    })
    const less = ['a', 'd'].flatMap((name) => ['--remove-origin', `https://${name}.example`])
    expect(await json('keys', 'set', created.id, ...less)).toMatchObject({
      origins: ['https://*.b.example', 'https://c.example'],
    })
    expect((await run('keys', 'set', created.id, '--origins', '')).out).toContain(
      'none (servers only)',
    )
    const revoked = await run('keys', 'revoke', created.id)
    expect(revoked.out).toBe(
      'Revoked "shop". Servers reject it within 2 seconds, or within 5 if they miss the notification.\n',
    )
    const again = await run('keys', 'revoke', created.id)
    expect([again.exitCode, again.out]).toEqual([0, '"shop" is already revoked.\n'])
    expect(await json('keys', 'revoke', created.id)).toMatchObject({ id: created.id })
    const keys = await json('keys', 'list', '--tenant', 'north')
    expect(keys).toContainEqual(
      expect.objectContaining({ id: created.id, revokedAt: expect.any(String) }),
    )
  })

  it('switches a key to browsers only and back', async () => {
    const created = await json(...create, '--origins', 'https://a.example', '--browser-only')
    expect(created.browserOnly).toBe(true)
    const { id } = created
    const columns = async () => (await json('keys', 'show', id)).browserOnly
    for (const [given, expected] of [
      [['--browser-only', 'off'], false],
      [['--browser-only'], true],
      [['--name', 'shop'], true],
    ] as const) {
      const { out } = await run('keys', 'set', id, ...given)
      expect([out.includes('https://a.example (browsers only)'), await columns()]).toEqual([
        expected,
        expected,
      ])
    }
    const { out } = await run('keys', 'list', '--tenant', 'north')
    expect(out).toContain('https://a.example (browsers only)')
    expect(await json('keys', 'rotate', id)).toMatchObject({ browserOnly: true })
  })

  it.each([
    ['create', [...create, '--browser-only']],
    ['set', ['--origins', '']],
    ['set', ['--remove-origin', 'https://a.example']],
  ])('keys %s rejects a browser-only key without origins', async (command, given) => {
    const { id } = await json(...create, '--origins', 'https://a.example', '--browser-only', 'on')
    const { exitCode, error } = await run(
      ...(command === 'set' ? ['keys', 'set', id] : []),
      ...given,
    )
    expect(exitCode).toBe(2)
    expect(error).toContain('A browser-only key needs an origin: without one, it can book nothing.')
    expect(await json('keys', 'show', id)).toMatchObject({ origins: ['https://a.example'] })
  })

  it.each([
    [[], 604_800],
    [['--overlap', '0'], 0],
    [['--overlap', '45s'], 45],
    [['--overlap', '30m'], 1_800],
    [['--overlap', '12h'], 43_200],
    [['--overlap', '2d'], 172_800],
  ])('rotates with %j and keeps the old secret for %d seconds', async (overlap, seconds) => {
    const { id } = await json(...create)
    const { replaced } = await json('keys', 'rotate', id, ...overlap)
    // Both times come from one transaction, so they differ by the overlap exactly.
    const { rows } = await commands.database.pool.query(
      `select extract(epoch from o.ends_at - n.created_at)::float as seconds
       from api_key_secrets o join api_key_secrets n on n.api_key_id = o.api_key_id
       where o.api_key_id = $1 and o.ends_at is not null and n.ends_at is null`,
      [id],
    )
    expect(replaced).toHaveLength(1)
    expect(rows).toEqual([{ seconds }])
  })

  it('shows permissions and secrets of a key without the secret text', async () => {
    const { id, prefix, last4 } = await json(...create, '--origins', 'https://a.example')
    const { out, exitCode } = await run('keys', 'show', id)
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^origins +https:\/\/a.example$/m)
    expect(out).toContain(`${prefix}…${last4}  active`)
    expect(out).toContain('not seen yet')
    expect(out).not.toMatch(/pk_live_\w{38}/)
    const page = await json('keys', 'show', id)
    expect(page).toMatchObject({ id, tenant: { slug: 'north' }, secrets: [{ lastUsedAt: null }] })
    expect(JSON.stringify(page)).not.toMatch(/pk_live_\w{38}/)
  })

  it('prints the secret of a new key once, with its permissions and expiry', async () => {
    const { exitCode, out } = await run(...create)
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^pk_live_\w{38}\n\nSave it now/)
    expect(out).toContain('none (servers only)')
    expect(out).toMatch(/^expires +never$/m)
    const ending = await run(...create, '--expires', '2038-01-01T00:00:00Z')
    expect(ending.out).toMatch(/^expires +2038-01-01T00:00:00.000Z$/m)
  })

  it('lists a key as expired, revoked or valid until its expiry', async () => {
    const { id, last4 } = await json(...create, '--expires', '2038-01-01T00:00:00Z')
    const { pool } = commands.database
    const stateAt = async (now: string) => {
      const list = ['keys', 'list', '--tenant', 'north']
      const { out } = await commandLineOn(commands.url)(list, { now: new Date(now) })
      return out.split(`…${last4}`)[1]?.trim()
    }
    expect(await stateAt('2038-01-01T00:00:00Z')).toMatch(/^expired /)
    expect(await stateAt('2036-01-01T00:00:00Z')).toMatch(/^until 2038-01-01T/)
    const revoke = 'update api_keys set revoked_at = $2 where id = $1'
    await pool.query(revoke, [id, '2037-01-01T00:00:00Z'])
    expect(await stateAt('2037-06-01T00:00:00Z')).toMatch(/^revoked /)
  })

  it.each([
    [[...create, '--expires', '2001-01-01T00:00:00Z'], 'in the future'],
    [['keys', 'revoke', unknown], noKey],
    [['keys', 'rotate', unknown], noKey],
    [['keys', 'show', unknown], noKey],
    [['keys', 'set', unknown, '--name', 'x'], noKey],
    [['keys', 'set', unknown, '--name', ''], noKey],
  ])('exits with 1 for %j', async (argv, reason) => {
    const { exitCode, out, error } = await run(...argv, '--json')
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(error).toContain(reason)
  })

  it.each([
    [[...create, '--origins', 'a.example'], 'Invalid origin'],
    [[...create, '--limit', 'reads=none'], 'Use NAME=COUNT'],
    [[...create, '--expires', '2031-01-01T00:00'], 'with an offset'],
    [
      ['keys', 'create', '--tenant', 'north', '--name', 'x', '--scopes', 'all,rates:read'],
      'Use the scope "all" by itself: it includes every other scope.',
    ],
    [['keys', 'revoke', 'abc'], '"abc" is not a valid API key ID. Type the whole ID, or at least '],
    [['keys', 'revoke', secret], secretTyped],
    [['bookings', 'show', `Bearer ${secret}`], secretTyped],
  ])('exits with 2 for %j', async (argv, reason) => {
    const { exitCode, out, error } = await run(...argv, '--json')
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(error).toContain(reason)
    expect(error).not.toContain('pk_live_')
  })
})
