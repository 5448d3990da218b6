// Replaces curl, which some machines lack, for the commands in the documents:
// curl -si URL [-H …] [-d …]
import process from 'node:process'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    include: { type: 'boolean', short: 'i' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
})
const response = await fetch(positionals[0], {
  method: values.data === undefined ? 'GET' : 'POST',
  headers: values.header.map((line) => line.split(/: (.*)/).slice(0, 2)),
  body: values.data,
})
process.stdout.write(`HTTP/1.1 ${response.status}\r\n\r\n${await response.text()}`)
