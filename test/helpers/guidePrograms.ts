import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exampleIds } from '../../src/http/schemas/examples.ts'
import { snippetsOf } from './snippets.ts'

const run = promisify(execFile)
const guide = 'docs/integrate.md'

export interface GuideServer {
  readonly address: string
  readonly key: string
  /** Replaces the 15 seconds after which the programs give a request up. */
  readonly timeoutSeconds?: number
}

/** Returns the code blocks of one language in the guide, with the address and key of a server. */
export async function guideSteps(language: string, server: GuideServer) {
  const { address, key, timeoutSeconds = 15 } = server
  const blocks = await snippetsOf(guide, language)
  return blocks.map((text) =>
    text
      .replaceAll('https://api.example.com', address)
      .replaceAll('pk_live_...', key)
      .replace(/(timeout=|'timeout' => |--max-time )15\b/, `$1${timeoutSeconds}`),
  )
}

/** Runs a program of the guide as its interpreter reads it from a file. Returns its output. */
export async function runGuide(language: 'python' | 'php', server: GuideServer): Promise<string> {
  const program = (await guideSteps(language, server)).join('\n')
  if (language === 'python') return (await run('python3', ['-c', program])).stdout
  return (await run('php', ['-r', program.replace(/^<\?php/, '')])).stdout
}

/**
 * Runs the curl commands of the guide one by one. As a reader does, puts the ids of the responses
 * in place of those of the examples. Returns the responses.
 */
export async function runGuideCommands(server: GuideServer): Promise<readonly object[]> {
  const [settings = '', ...steps] = await guideSteps('bash', server)
  const responses: object[] = []
  const found: Record<string, string> = {}
  let variables = settings
  const folder = await mkdtemp(join(tmpdir(), 'guide-'))
  try {
    for (const step of steps) {
      const command = step
        .replace(exampleIds.quote, found['quoteId'] ?? '$&')
        .replace(exampleIds.booking, found['bookingId'] ?? '$&')
      const env = { ...process.env, TMPDIR: folder }
      const { stdout } = await run('bash', ['-c', variables + command], { env })
      const response = JSON.parse(stdout)
      Object.assign(found, response.data)
      responses.push(response)
      variables += /^\w+=.*\n/m.exec(command)?.[0] ?? ''
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return responses
}
