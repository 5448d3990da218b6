import { describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'

const server = useTestApp()

describe('the probes', () => {
  it('say alive and ready', async () => {
    expect((await server.http.get('/healthz')).body).toEqual({ status: 'ok' })
    expect((await server.http.get('/readyz')).body).toEqual({ status: 'ready' })
  })
})
