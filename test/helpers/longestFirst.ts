import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest files. If they started last, the run would wait for them alone. */
const longest = [
  'db/plans/everyStatement',
  'services/bookings/quoteRoundTrip',
  'domain/pricing/pricing',
  'lifecycle/',
  'proxy/rolling',
  'faults/',
  'limiter/redisUser',
]

/** Orders test files randomly by the seed, the slowest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    const rankOf = ({ moduleId }: TestSpecification) => {
      const isLong = longest.some((start) => moduleId.includes(`/test/${start}`))
      const random = createHash('sha256').update(`${seed} ${moduleId}`).digest('hex')
      return `${isLong ? 'first' : 'then'} ${random}`
    }
    const ranked = files.map((file) => ({ file, rank: rankOf(file) }))
    return ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ file }) => file)
  }
}
