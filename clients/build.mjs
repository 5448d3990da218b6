// Builds the files that the server offers to websites: the widget and both npm packages.
import { execFile } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import './widget/build.mjs'

const run = promisify(execFile)
const here = (path) => join(import.meta.dirname, path)
const packages = here('packages')

/** Packs a folder as `packages/<name>.tgz`. The archive is reproducible: npm fixes the file times. */
async function pack(folder, name) {
  const options = ['--json', '--ignore-scripts', '--pack-destination', packages]
  const { stdout } = await run('npm', ['pack', ...options], { cwd: here(folder) })
  const [{ filename }] = JSON.parse(stdout)
  await rename(join(packages, filename), join(packages, `${name}.tgz`))
}

await mkdir(packages, { recursive: true })
await run(here('../node_modules/.bin/tsc'), ['-p', here('typescript')])
await Promise.all([pack('typescript', 'client'), pack('widget', 'widget')])
