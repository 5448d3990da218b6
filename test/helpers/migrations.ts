import { definition, type Release, readRelease } from '../../src/db/migrations/release.ts'

/** Returns this release with more migrations, newer than all others: `9999_next`, `9999_next1`, … */
export function withMigration(...texts: string[]): Release {
  const release = readRelease()
  const next = texts.map((sql, at) => {
    return { tag: `9999_next${at || ''}`, sql, hash: sql, when: 9_999_999_999_999 + at }
  })
  return { ...release, migrations: release.migrations.concat(next) }
}

/** Returns another version of this release, in which the text of one definition is changed. */
export function withDefinition(
  version: string,
  changedTag: string,
  change: (sql: string) => string,
): Release {
  const release = readRelease()
  const definitions = release.definitions.map((own) =>
    own.tag === changedTag ? definition(own.tag, change(own.sql)) : own,
  )
  return { ...release, version, definitions }
}
