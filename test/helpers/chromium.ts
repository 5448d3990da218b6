import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { hasErrorCode } from '../../src/domain/hasErrorCode.ts'
import { programOnPath } from './programOnPath.ts'

const require = createRequire(import.meta.url)
const cache = resolve(import.meta.dirname, '../../.cache')

export interface Chromium {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Returns the browser for the tests: CHROMIUM_PATH, else the one pinned in package.json, else (on
 * platforms without one) a browser on the PATH.
 * @throws Error if there is none
 */
export async function findChromium(): Promise<Chromium> {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined) {
    if (await canRun(named)) return { executablePath: named, env: {} }
    throw new Error(`CHROMIUM_PATH is not an executable file: ${named}`)
  }
  if (process.platform === 'linux' && process.arch === 'x64') return unpackChromium()
  const executablePath = chromiumOnPath()
  if (executablePath !== undefined) return { executablePath, env: {} }
  throw new Error('The browser tests need a Chromium: install one, or name one in CHROMIUM_PATH.')
}

/** Returns the path of the machine's installed Chromium; undefined if there is none. */
export const chromiumOnPath = () => programOnPath('chromium', 'google-chrome')

function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/**
 * Unpacks the package's browser, the libraries that a minimal machine lacks, and a font, once. The
 * directory is renamed into place, because other test files may unpack at the same time.
 */
async function unpackChromium(): Promise<Chromium> {
  const installed = join(dirname(require.resolve('@sparticuz/chromium')), '../..')
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const directory = join(cache, `chromium-${version}`)
  if (!(await canRun(join(directory, 'chromium')))) {
    const temporary = `${directory}.${randomBytes(4).toString('hex')}`
    await mkdir(temporary, { recursive: true })
    const packed = (name: string) => join(installed, 'bin', name)
    await unpackTar(packed('al2023.tar.br'), temporary)
    await unpackTar(packed('fonts.tar.br'), temporary)
    await writeFile(join(temporary, 'fonts.conf'), fontConfiguration(join(directory, 'fonts')))
    const program = createWriteStream(join(temporary, 'chromium'), { mode: 0o755 })
    await pipeline(createReadStream(packed('chromium.br')), createBrotliDecompress(), program)
    await rename(temporary, directory).catch(async (error: unknown) => {
      await rm(temporary, { recursive: true, force: true })
      if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    })
  }
  return {
    executablePath: join(directory, 'chromium'),
    env: { LD_LIBRARY_PATH: join(directory, 'lib'), FONTCONFIG_PATH: directory },
  }
}

/** Returns a font configuration. The package's own expects the fonts in a fixed directory. */
function fontConfiguration(fonts: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${fonts}</dir><cachedir>${join(fonts, 'cache')}</cachedir></fontconfig>
`
}

async function unpackTar(packed: string, into: string): Promise<void> {
  const archive = join(into, 'unpacked.tar')
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(archive))
  await promisify(execFile)('tar', ['-xf', archive, '-C', into])
  await rm(archive)
}
