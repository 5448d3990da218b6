import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * Returns the code blocks of one language in a document, in order.
 * @throws Error if there are none
 */
export async function snippetsOf(document: string, language: string): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const found = blocks.filter(([, of]) => of === language).map(([, , code = '']) => code)
  if (found.length === 0) throw new Error(`${document} has no ${language}`)
  return found
}
