import { expect, it } from 'vitest'
import { batchPerTick } from '../../src/domain/batchPerTick.ts'

it('batchPerTick splits the calls of one tick into batches and returns each result', async () => {
  const calls: number[] = []
  const double = batchPerTick(10, async (batch: readonly number[]) => {
    calls.push(batch.length)
    return batch.map((each) => 2 * each)
  })
  const burst = Array.from({ length: 25 }, (_, n) => n)
  expect(await Promise.all(burst.map(double))).toEqual(burst.map((each) => 2 * each))
  expect(calls).toEqual([10, 10, 5])
})

it('batchPerTick rejects only the calls of the batch that fails', async () => {
  const call = batchPerTick(2, async (batch: readonly string[]) => {
    if (batch.includes('bad')) throw new Error('no')
    return batch
  })
  const outcomes = await Promise.allSettled(['a', 'b', 'bad', 'c', 'd'].map(call))
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})
