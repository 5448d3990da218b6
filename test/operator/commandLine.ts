import { Readable } from 'node:stream'
import { main } from '../../src/operator/main.ts'

/** What one call of the command line gave back. */
export interface Run {
  readonly exitCode: number
  readonly out: string
  readonly error: string
}

export interface RunOptions {
  readonly stdin?: string
  readonly columns?: number
  /** Collects what would be shown of the progress. */
  readonly progress?: string[]
}

/** The operator's command line on a database, without a process of its own. */
export function commandLineOn(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
) {
  return async (
    argv: readonly string[],
    { stdin = '', columns, progress }: RunOptions = {},
  ): Promise<Run> => {
    let out = ''
    let error = ''
    const exitCode = await main(argv, {
      environment: { DATABASE_URL: databaseUrl, ...environment },
      stdin: Readable.from([stdin]),
      writeOut: (text) => {
        out += text
      },
      writeError: (text) => {
        error += text
      },
      columns,
      writeProgress: progress && ((text) => void progress.push(text)),
    })
    return { exitCode, out, error }
  }
}
