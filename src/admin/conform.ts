import { conform } from '../conform/conform.ts'
import type { Command } from './command.ts'

export const conformCommand: Command = {
  name: 'conform',
  summary: 'Walk the whole contract against a deployment; exit 1 when a rule does not hold.',
  args: [],
  options: [
    { name: 'base-url', value: 'URL', required: true, summary: 'such as https://api.example.com' },
    { name: 'key', value: 'KEY', required: true, summary: 'with every scope; it books twice' },
    { name: 'origin', value: 'URL', summary: 'on its allow list, to check browsers too' },
  ],
  examples: [
    'rental conform --base-url http://127.0.0.1:3000 --key $API_KEY --origin https://www.example.com',
  ],
  async run({ options }) {
    const findings = await conform({
      baseUrl: options.required('base-url'),
      apiKey: options.required('key'),
      origin: options.text('origin'),
    })
    const broken = findings.filter(({ problem }) => problem !== undefined)
    const lines = findings.map(({ rule, problem }) =>
      problem === undefined ? `ok      ${rule}` : `BROKEN  ${rule}\n        ${problem}`,
    )
    const text = `${lines.join('\n')}\n${findings.length - broken.length} of ${findings.length} hold.\n`
    return { json: { ok: broken.length === 0, findings }, text, ok: broken.length === 0 }
  },
}
