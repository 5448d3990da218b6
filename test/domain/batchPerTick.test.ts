import { expect, it } from 'vitest'
import { batchPerTick } from '../../src/domain/batchPerTick.ts'

it('whoever asks within a burst is answered, however many share a call', async () => {
  const calls: number[] = []
  const double = batchPerTick(10, async (asked: readonly number[]) => {
    calls.push(asked.length)
    return asked.map((each) => 2 * each)
  })
  const burst = Array.from({ length: 25 }, (_, n) => n)
  expect(await Promise.all(burst.map(double))).toEqual(burst.map((each) => 2 * each))
  expect(calls).toEqual([10, 10, 5])
})

it('a call that fails fails those who shared it, and nobody else', async () => {
  const call = batchPerTick(2, async (asked: readonly string[]) => {
    if (asked.includes('bad')) throw new Error('no')
    return asked
  })
  const outcomes = await Promise.allSettled(['a', 'b', 'bad', 'c', 'd'].map(call))
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
    ...[true, true],
    ...[false, false],
    true,
  ])
})
