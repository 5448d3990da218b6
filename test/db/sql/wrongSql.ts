import {
  type Change,
  rewriteFunction,
  rewriteTrigger,
  rewriteView,
  rewriteWire,
} from '../../helpers/rewriteSql.ts'
import type { Ground } from './ground.ts'
import type { RuleName } from './rules.ts'
import { wrongRedemptions } from './wrongRedemptions.ts'
import { wrongFunctions, wrongTriggers, wrongViews } from './wrongSchema.ts'
import { wrongStatements } from './wrongStatements.ts'

/** Wrong versions by the rule that must detect them: a description and the changes. */
export type WrongVersions = {
  readonly [Name in RuleName]?: readonly (readonly [mistake: string, ...changes: Change[]])[]
}

export interface WrongSql {
  readonly mistake: string
  readonly caughtBy: RuleName
  /** Installs the wrong version. Call it before the first connection. */
  install(on: Ground): Promise<void> | void
}

type Rewrite = (on: Ground, changes: readonly Change[]) => Promise<void> | void

function listed(of: string, rewrite: Rewrite, versions: WrongVersions): WrongSql[] {
  return Object.entries(versions).flatMap(([caughtBy, wrong]) =>
    wrong.map(([mistake, ...changes]) => ({
      mistake: `${of} ${mistake}`,
      caughtBy: caughtBy as RuleName,
      install: (on: Ground) => rewrite(on, changes),
    })),
  )
}

function byName(
  rewriteOne: (url: string, name: string, changes: readonly Change[]) => Promise<void>,
  wrong: Readonly<Record<string, WrongVersions>>,
): WrongSql[] {
  return Object.entries(wrong).flatMap(([name, versions]) =>
    listed(name, ({ url }, changes) => rewriteOne(url, name, changes), versions),
  )
}

/** Wrong functions, triggers and views. Each needs its own database. */
export const wrongInDatabase: readonly WrongSql[] = [
  ...byName(rewriteFunction, { redeem_quote: wrongRedemptions, ...wrongFunctions }),
  ...byName(rewriteTrigger, wrongTriggers),
  ...byName(rewriteView, wrongViews),
]

/** Wrong statements, which do not change the database's schema. */
export const wrongOnTheWire: readonly WrongSql[] = listed(
  'a statement',
  ({ database: { pool, pipeline, scanPipeline } }, changes) => {
    for (const each of [pool, pipeline.pool, scanPipeline.pool]) rewriteWire(each, changes)
  },
  wrongStatements,
)
