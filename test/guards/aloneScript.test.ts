import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, useScriptRoom } from './scriptRoom.ts'

const { at, env } = useScriptRoom()

it('starts no second server on a data directory, and one again when the first has ended', async () => {
  const given = { ...env(), PGDATA: at() }
  const argv = [join(root, 'docker/postgres/alone.sh'), 'sh', '-c', 'echo serves; cat']
  const first = spawn('bash', argv, { env: given })
  const ended = once(first, 'exit')
  const again = () => spawnSync('bash', argv, { env: given, encoding: 'utf8', input: '' })
  await once(first.stdout, 'data')
  expect(again()).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'another server runs on this volume\n',
  })
  first.stdin.end()
  await ended
  expect(again()).toMatchObject({ status: 0, stdout: 'serves\n' })
})
