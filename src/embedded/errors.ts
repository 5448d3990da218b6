import { dirname } from 'node:path'
import { type Identity, shellQuoted } from './supervisedProcess.ts'

/** The error when the embedded database cannot be used; its message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

export class DataInUseError extends EmbeddedPostgresError {}

/** A log function for slow steps, and for data that is stored elsewhere. */
export type Log = (message: string, fields?: Record<string, unknown>) => void

/** Called when the server ends without `stop()`. */
export type OnLost = (error: Error) => void

interface Run {
  readonly dataDirectory: string
  readonly identity: Identity | undefined
}

/** Returns an error that says what to do, if known, and has the program's last output lines. */
export function failureOf(run: Run, sentence: string, lines: readonly string[], cause?: unknown) {
  const text = lines.join('\n')
  const output = text === '' ? 'It wrote no output.' : `Its output:\n${text}`
  const message = `The embedded database ${sentence}. ${remedyFor(text, run)}${output}`
  return new EmbeddedPostgresError(message, { cause })
}

function remedyFor(output: string, { dataDirectory, identity }: Run): string {
  if (!/could not (access|open|create|read) .*Permission denied|wrong ownership/.test(output))
    return ''
  // Root needs no access to the other files of DATA_DIR.
  const command = takeOverCommand(identity ? dataDirectory : dirname(dataDirectory), identity)
  return `It cannot use all files of its data, as after a copy by another user. As root, run: ${command}\n`
}

/** Returns the command that gives a directory to a user, by default to the user of this process. */
export function takeOverCommand(directory: string, user?: Identity): string {
  const owner = user ?? { uid: process.getuid?.(), gid: process.getgid?.() }
  const path = shellQuoted(directory)
  return `chown -R ${owner.uid}:${owner.gid} ${path} && chmod -R u+rwX ${path}`
}
