import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes one migration, newer than all others, into an empty folder. Returns the folder. */
export async function aMigration(folder: string, sql: string): Promise<string> {
  await mkdir(join(folder, 'meta'))
  const entries = [{ tag: '9999_next', when: 9_999_999_999_999 }]
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
  await writeFile(join(folder, '9999_next.sql'), sql)
  return folder
}
