import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { hasErrorCode } from '../../src/domain/hasErrorCode.ts'

const require = createRequire(import.meta.url)
const cache = resolve(import.meta.dirname, '../../.cache')
const names = ['chromium', 'google-chrome']

/** A Chromium, and what it needs of the environment beyond what is there. */
export interface Chromium {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Finds the browser for the tests: CHROMIUM_PATH, else the one that package.json pins, else (where
 * npm has none) one on the PATH.
 */
export async function findChromium(): Promise<Chromium> {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined) {
    if (await canRun(named)) return { executablePath: named, env: {} }
    throw new Error(`CHROMIUM_PATH is no program that can be run: ${named}`)
  }
  if (process.platform === 'linux' && process.arch === 'x64') return unpackChromium()
  const executablePath = chromiumOnPath()
  if (executablePath !== undefined) return { executablePath, env: {} }
  throw new Error('The browser tests need a Chromium: install one, or name one in CHROMIUM_PATH.')
}

/** The path of the Chromium that the machine has installed; undefined when there is none. */
export function chromiumOnPath(): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return directories
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find((path) => existsSync(path))
}

function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/**
 * Unpacks the package's own program, the libraries a bare machine lacks and a font, once; into place
 * in one step, as other files may be at it.
 */
async function unpackChromium(): Promise<Chromium> {
  const installed = join(dirname(require.resolve('@sparticuz/chromium')), '../..')
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const directory = join(cache, `chromium-${version}`)
  if (!(await canRun(join(directory, 'chromium')))) {
    const half = `${directory}.${randomBytes(4).toString('hex')}`
    await mkdir(half, { recursive: true })
    const packed = (name: string) => join(installed, 'bin', name)
    await unpackTar(packed('al2023.tar.br'), half)
    await unpackTar(packed('fonts.tar.br'), half)
    await writeFile(join(half, 'fonts.conf'), fontConfiguration(join(directory, 'fonts')))
    const program = createWriteStream(join(half, 'chromium'), { mode: 0o755 })
    await pipeline(createReadStream(packed('chromium.br')), createBrotliDecompress(), program)
    await rename(half, directory).catch(async (error: unknown) => {
      await rm(half, { recursive: true, force: true })
      // Another test file was faster; what it unpacked is as good as ours.
      if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    })
  }
  return {
    executablePath: join(directory, 'chromium'),
    env: { LD_LIBRARY_PATH: join(directory, 'lib'), FONTCONFIG_PATH: directory },
  }
}

/** The package's own configuration looks for its fonts in one fixed place. */
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
