import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The blocks of code of a document, in order, of one language. */
export async function snippetsOf(document: string, language: string): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const found = blocks.filter(([, of]) => of === language).map(([, , code = '']) => code)
  if (found.length === 0) throw new Error(`${document} has no ${language}`)
  return found
}
