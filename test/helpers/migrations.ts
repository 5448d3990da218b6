import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder with one migration, younger than all of ours; gone with its test. */
export async function aMigration(sql: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'meta'))
  const entries = [{ tag: '9999_next', when: 9_999_999_999_999 }]
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
  await writeFile(join(folder, '9999_next.sql'), sql)
  return folder
}
