import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { hasCode } from '../hasCode.ts'
import { projectRoot } from '../projectRoot.ts'

export interface SiteFile {
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
}

/**
 * Everything the website consists of: its pages, and the scripts compiled into `scripts`. Undefined
 * when the scripts were never compiled.
 */
export async function readSiteFiles(scripts: string): Promise<SiteFile[] | undefined> {
  try {
    const pages = await filesIn(join(projectRoot, 'examples/booking-site'), '/')
    return [...pages, ...(await filesIn(scripts, '/scripts/'))]
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function filesIn(directory: string, prefix: string): Promise<SiteFile[]> {
  const files: SiteFile[] = []
  for (const name of await readdir(directory, { recursive: true })) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = prefix + name.replaceAll(sep, '/').replace(/^index\.html$/, '')
    files.push({ path, type, body: await readFile(join(directory, name)) })
  }
  return files
}
