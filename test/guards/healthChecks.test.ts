import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main, read } from './composed.ts'

describe('a health check', () => {
  /** How it ends, with these programs in place of others. */
  async function exitOf(argv: readonly string[], programs: Readonly<Record<string, string>> = {}) {
    const directory = mkdtempSync(join(tmpdir(), 'health-'))
    try {
      for (const [name, script] of Object.entries(programs))
        writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 })
      const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` }
      const [command = '', ...args] = argv
      return await new Promise<boolean>((done) => {
        execFile(command, args, { env }, (failure) => done(failure === null))
      })
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  const testOf = (name: string) => {
    const [how, ...argv] = (main.services[name]?.healthcheck?.test ?? []).map((part) =>
      part.replaceAll('$$', '$'),
    )
    return how === 'CMD-SHELL' ? ['sh', '-c', ...argv] : argv
  }
  const [, ofImage = ''] = /^HEALTHCHECK .*\n +CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? []

  it.each([
    ['proxy', testOf('proxy'), '/health'],
    // Alive, not ready: to start a replica again does not bring its database back.
    ['image', JSON.parse(ofImage) as string[], '/healthz'],
  ])('of the %s says yes to 200 alone', async (_, argv, path) => {
    let status = 200
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const here = argv.map((part) => part.replace(/8404|\$PORT/, String(port)))
    try {
      expect(await exitOf(here)).toBe(true)
      status = 503
      expect(await exitOf(here)).toBe(false)
      expect(asked).toEqual([path, path])
    } finally {
      await new Promise((done) => server.close(done))
    }
    expect(await exitOf(here)).toBe(false)
  })

  it('of a restored server says yes when it has been restored', async () => {
    const answering = (script: string) => exitOf(testOf('restored'), { psql: script })
    expect(await answering('echo f')).toBe(true)
    expect(await answering('echo t')).toBe(false)
    expect(await answering('exit 2')).toBe(false)
  })

  it('of Redis says yes to PONG alone, and that of PostgreSQL asks by its address', async () => {
    const answering = (script: string) => exitOf(testOf('redis'), { 'redis-cli': script })
    expect(await answering('echo PONG')).toBe(true)
    expect(await answering('echo LOADING Redis is loading')).toBe(false)
    // The socket answers while the server is being set up, too.
    expect(testOf('postgres')).toEqual(expect.arrayContaining(['-h', '127.0.0.1']))
  })
})
