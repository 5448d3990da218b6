import { PassThrough } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { expect, it } from 'vitest'
import { terminalPrompts } from '../../src/operator/prompts.ts'

it('a terminal that ends while a line is typed has given no answer, and is left', async () => {
  const input = Object.assign(new PassThrough(), { setRawMode() {} })
  const output = new PassThrough().resume()
  const prompts = terminalPrompts({
    input: input as unknown as ReadStream,
    output: output as unknown as WriteStream,
  })
  const line = prompts.line('Reason: ')
  input.end('no vehi')
  expect(await line).toBeUndefined()
  expect(await prompts.key('', new AbortController().signal)).toBe('q')
})
