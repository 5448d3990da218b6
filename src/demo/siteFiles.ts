import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { isFileError } from '../embedded/errors.ts'
import { projectRoot } from '../projectRoot.ts'

export interface SiteFile {
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
 * Everything the website consists of, by its path: its pages, and the scripts compiled into
 * `scripts`. Nothing else can be asked for. Undefined when the scripts were never compiled.
 */
export async function readSiteFiles(scripts: string): Promise<Map<string, SiteFile> | undefined> {
  const files = new Map<string, SiteFile>()
  const pages = join(projectRoot, 'examples/booking-site')
  try {
    for (const path of await readdir(scripts, { recursive: true })) {
      if (extname(path) === '.js')
        await add(`/scripts/${path.replaceAll(sep, '/')}`, join(scripts, path))
    }
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined
    throw error
  }
  for (const name of ['index.html', 'page.css', 'steps.css', 'icon.svg']) {
    await add(name === 'index.html' ? '/' : `/${name}`, join(pages, name))
  }
  return files

  async function add(path: string, file: string): Promise<void> {
    files.set(path, { type: types[extname(file)] ?? '', body: await readFile(file) })
  }
}
