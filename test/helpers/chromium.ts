import { randomBytes } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, readFile, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'

const require = createRequire(import.meta.url)
const cache = resolve(import.meta.dirname, '../../.cache')
const names = ['chromium', 'google-chrome']

/** The path of a Chromium: CHROMIUM_PATH, one on the PATH, or the one that came with npm. */
export async function findChromium(): Promise<string> {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined) {
    if (await canRun(named)) return named
    throw new Error(`CHROMIUM_PATH is no program that can be run: ${named}`)
  }
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of names) {
      if (await canRun(join(directory, name))) return join(directory, name)
    }
  }
  if (process.platform === 'linux' && process.arch === 'x64') return unpackChromium()
  throw new Error('The browser tests need a Chromium: install one, or name one in CHROMIUM_PATH.')
}

function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Unpacks the package's own program, once; into place in one step, as other files may be at it. */
async function unpackChromium(): Promise<string> {
  const installed = join(dirname(require.resolve('@sparticuz/chromium')), '../..')
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const directory = join(cache, `chromium-${version}`)
  const program = join(directory, 'chromium')
  if (await canRun(program)) return program
  await mkdir(directory, { recursive: true })
  const half = `${program}.${randomBytes(4).toString('hex')}`
  const packed = join(installed, 'bin/chromium.br')
  const unpacked = createWriteStream(half, { mode: 0o755 })
  await pipeline(createReadStream(packed), createBrotliDecompress(), unpacked)
  await rename(half, program)
  return program
}
