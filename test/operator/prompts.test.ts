import { PassThrough } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { expect, it } from 'vitest'
import { terminalPrompts } from '../../src/operator/prompts.ts'

function openPrompts() {
  const input = Object.assign(new PassThrough(), { setRawMode() {} })
  const output = new PassThrough().resume()
  const terminal = {
    input: input as unknown as ReadStream,
    output: output as unknown as WriteStream,
  }
  return { input, prompts: terminalPrompts(terminal) }
}

it('a terminal that ends while a line is typed has given no answer, and is left', async () => {
  const { input, prompts } = openPrompts()
  const line = prompts.line('Reason: ')
  input.end('no vehi')
  expect(await line).toBeUndefined()
  expect(await prompts.key('', new AbortController().signal)).toBe('q')
})

it('a terminal that ends while a key is waited for is left', async () => {
  const { input, prompts } = openPrompts()
  const key = prompts.key('', new AbortController().signal)
  input.end()
  expect(await key).toBe('q')
})

it.each([
  ['\x03', 'q'],
  ['\x04', 'q'],
  ['\x12', ''],
  ['d', 'd'],
  ['C', 'c'],
])('the key %j is %j', async (typed, key) => {
  const { input, prompts } = openPrompts()
  const pressed = prompts.key('', new AbortController().signal)
  input.write(typed)
  expect(await pressed).toBe(key)
})

it.each(['\r', '\t', '\x7f', '\x1b[A'])(
  'a key without a letter, such as %j, is no mistake',
  async (typed) => {
    const { input, prompts } = openPrompts()
    const key = prompts.key('', new AbortController().signal)
    input.write(typed)
    expect(await key).toBe('')
  },
)
