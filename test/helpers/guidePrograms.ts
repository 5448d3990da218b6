import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { exampleIds } from '../../src/http/schemas/examples.ts'
import { snippetsOf } from './snippets.ts'

const run = promisify(execFile)
const guide = 'docs/integrate.md'

export interface GuideServer {
  readonly address: string
  readonly key: string
}

/** Returns the code blocks of one language in the guide, with the address and key of a server. */
export async function guideSteps(language: string, { address, key }: GuideServer) {
  const blocks = await snippetsOf(guide, language)
  return blocks.map((text) =>
    text.replaceAll('https://api.example.com', address).replaceAll('pk_live_...', key),
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
  for (const step of steps) {
    const command = step
      .replace(exampleIds.quote, found['quoteId'] ?? '$&')
      .replace(exampleIds.booking, found['bookingId'] ?? '$&')
    const { stdout } = await run('bash', ['-c', variables + command])
    const response = JSON.parse(stdout)
    Object.assign(found, response.data)
    responses.push(response)
    variables += /^\w+=.*\n/m.exec(command)?.[0] ?? ''
  }
  return responses
}
