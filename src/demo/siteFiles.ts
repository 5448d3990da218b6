import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
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

const directory = join(projectRoot, 'examples/booking-site')

/** Everything the website consists of. */
export async function readSiteFiles(): Promise<SiteFile[]> {
  const files: SiteFile[] = []
  for (const name of await readdir(directory, { recursive: true })) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = `/${name.replaceAll(sep, '/').replace(/^index\.html$/, '')}`
    files.push({ path, type, body: await readFile(join(directory, name)) })
  }
  return files
}
