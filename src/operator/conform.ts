import { conform } from '../conform/conform.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'

export const conformCommand = ({ answer }: Context) =>
  command(
    'conform',
    'Walk the whole contract against a deployment; exit 1 when a rule does not hold.',
    [
      'rental conform --base-url http://127.0.0.1:3000 --key $API_KEY --origin https://www.example.com',
    ],
  )
    .requiredOption('--base-url <url>', 'such as https://api.example.com')
    .requiredOption('--key <key>', 'with every scope; it books twice')
    .option('--origin <url>', 'on its allow list, to check browsers too')
    .action(async ({ baseUrl, key, origin }) => {
      const findings = await conform({ baseUrl, apiKey: key, origin })
      const broken = findings.filter(({ problem }) => problem !== undefined)
      const lines = findings.map(({ rule, problem }) =>
        problem === undefined ? `ok      ${rule}` : `BROKEN  ${rule}\n        ${problem}`,
      )
      const text = `${lines.join('\n')}\n${findings.length - broken.length} of ${findings.length} hold.\n`
      const ok = broken.length === 0
      answer({ json: { ok, findings }, text, ok })
    })
