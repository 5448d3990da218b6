import { afterEach, describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'

const server = useTestApp()

afterEach(() => {
  server.deps.lifecycle.draining = false
})

describe('the probes', () => {
  it('say alive and ready', async () => {
    expect((await server.http.get('/healthz')).body).toEqual({ status: 'ok' })
    expect((await server.http.get('/readyz')).body).toEqual({ status: 'ready' })
  })

  it('say draining when the process is about to end, while everything is still answered', async () => {
    server.deps.lifecycle.draining = true
    const ready = await server.http.get('/readyz')
    expect([ready.status, ready.body]).toEqual([503, { status: 'draining' }])
    const alive = await server.http.get('/healthz')
    expect([alive.status, alive.headers['connection']]).toEqual([200, 'close'])
  })
})
