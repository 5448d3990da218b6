import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasErrorCode } from '../../../src/domain/hasErrorCode.ts'

const run = promisify(execFile)

/** Returns apt options for a private directory, without root and concurrently with another apt. */
function aptOptions(directory: string): string[] {
  return [
    '-qq',
    `Dir::State::lists=${directory}/lists`,
    `Dir::Cache=${directory}/cache`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((option) => (option.startsWith('-') ? option : ['-o', option]))
}

async function downloadPackages(debianPackage: string, directory: string): Promise<void> {
  const options = aptOptions(directory)
  await mkdir(join(directory, 'lists', 'partial'), { recursive: true })
  await mkdir(join(directory, 'cache', 'archives', 'partial'), { recursive: true })
  await run('apt-get', [...options, 'update'])
  const missing = await run('apt-get', [
    ...options,
    'install',
    '--print-uris',
    '--yes',
    '--no-install-recommends',
    debianPackage,
  ])
  const dependencies = [...missing.stdout.matchAll(/^'[^']*' ([^_\s]+)_/gm)].map(([, name]) => name)
  const packages = new Set([debianPackage, ...dependencies.filter((name) => name !== undefined)])
  await run('apt-get', [...options, 'download', ...packages], { cwd: directory })
}

async function unpackInto(root: string, directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.endsWith('.deb')) await run('dpkg-deb', ['-x', join(directory, name), root])
  }
}

interface Unpacking {
  readonly debianPackage: string
  readonly afterUnpacking?: (root: string) => Promise<void>
}

/**
 * Unpacks a Debian or Ubuntu package and its missing dependencies into a directory, without root and
 * without installing them. The directory is created atomically; concurrent calls are safe.
 * @throws Error of apt or dpkg
 */
export async function unpackPackages(
  { debianPackage, afterUnpacking }: Unpacking,
  into: string,
): Promise<void> {
  await mkdir(join(into, '..'), { recursive: true })
  const temporary = await mkdtemp(`${into}.`)
  try {
    await downloadPackages(debianPackage, temporary)
    await mkdir(join(temporary, 'root'))
    await unpackInto(join(temporary, 'root'), temporary)
    await afterUnpacking?.(join(temporary, 'root'))
    await rename(join(temporary, 'root'), into)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
