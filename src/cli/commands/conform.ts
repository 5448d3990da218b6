import { z } from 'zod'
import { runChecks, UncheckableError } from '../../conformance/runChecks.ts'
import { shortId } from '../../domain/ids.ts'
import { OperatorError } from '../../services/operatorError.ts'
import { type Context, command } from '../command.ts'
import { optionParser } from '../options.ts'

export const conform = ({ io, finish }: Context) =>
  command(
    'conform',
    'Check a deployment, with its proxies, against the API contract. Exits with 1 if a rule is broken.',
    [
      'rental conform --base-url http://127.0.0.1:3000 --key $API_KEY \\\n' +
        '    --origin https://www.example.com',
    ],
  )
    .requiredOption(
      '--base-url <url>',
      'URL of the deployment, such as https://api.example.com',
      optionParser(z.url({ protocol: /^https?$/ }), 'Use a URL such as https://api.example.com.'),
    )
    .requiredOption(
      '--key <key>',
      'API key with all scopes, preferably of a test tenant: a booking is created',
    )
    .option('--origin <url>', 'allowed origin of the key, to check browser requests as well')
    .action(async ({ baseUrl, key, origin }) => {
      const deployment = { baseUrl, apiKey: key, origin }
      const { findings, bookingId } = await runChecks(deployment).catch((error: unknown) => {
        throw error instanceof UncheckableError ? new OperatorError(error.message) : error
      })
      const lines = findings.map(({ rule, problem }) =>
        problem === undefined ? `ok      ${rule}` : `FAIL    ${rule}\n        ${problem}`,
      )
      const held = findings.filter(({ problem }) => problem === undefined).length
      const text = `${lines.join('\n')}\n${held} of ${findings.length} rules hold.\n`
      const ok = held === findings.length
      finish({ json: { ok, findings, bookingId }, text, ok })
      if (bookingId !== null) {
        io.writeError(
          `A booking of "Conformance Kit" is left pending. Reject it with \`rental bookings reject ${shortId(bookingId)}\`.\n`,
        )
      }
    })
