import { z } from 'zod'
import { reasonNotToCheck, runChecks } from '../../conformance/runChecks.ts'
import { shortId } from '../../domain/ids.ts'
import { OperatorError } from '../../services/operatorError.ts'
import { type Context, command } from '../command.ts'
import { optionParser } from '../options.ts'
import { conformOutput } from '../output/maintenance.ts'

export const conform = ({ io, finish }: Context) =>
  command(
    'conform',
    'Check a deployment against the API contract. Exits with 1 if a rule is broken.',
    [
      'rental conform --base-url http://127.0.0.1:3000 --key $API_KEY \\\n' +
        '    --origin https://www.example.com',
    ],
    conformOutput,
  )
    .requiredOption(
      '--base-url <url>',
      'URL of the deployment, such as https://api.example.com',
      optionParser(z.url({ protocol: /^https?$/ }), 'Use a URL such as https://api.example.com.'),
    )
    .requiredOption(
      '--key <key>',
      'API key with all scopes, preferably of a test tenant: two bookings are created',
    )
    .option('--origin <url>', 'allowed origin of the key, to check browser requests as well')
    .action(async ({ baseUrl, key, origin }) => {
      const deployment = { baseUrl, apiKey: key, origin }
      const reason = await reasonNotToCheck(deployment)
      if (reason !== undefined) throw new OperatorError(reason)
      const { findings, bookings } = await runChecks(deployment, (seconds) =>
        io.writeError(`Rate limit of the key reached: waiting ${seconds} s.\n`),
      )
      const lines = findings.map(({ rule, problem }) =>
        problem === undefined ? `ok      ${rule}` : `FAIL    ${rule}\n        ${problem}`,
      )
      const held = findings.filter(({ problem }) => problem === undefined).length
      const text = `${lines.join('\n')}\n${held} of ${findings.length} rules hold.\n`
      const ok = held === findings.length
      finish({ json: { ok, findings, bookings }, text, ok })
      if (bookings.length > 0) {
        const ids = bookings.map(shortId).join(' ')
        io.writeError(
          `Bookings of "Conformance Kit" are left pending. Reject them with \`rental bookings reject ${ids}\`.\n`,
        )
      }
    })
