#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { main } from './cli/main.ts'
import { sanitizeForTerminal } from './cli/terminal/cell.ts'
import { describeFsError } from './config/files.ts'

// EPIPE is not an error: the reader may stop early, as in `rental keys list … | head`.
const interruption = new AbortController()
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return interruption.abort()
  const reason = describeFsError(error) ?? error.message
  process.stderr.write(
    `Can't write the output: ${reason}. What the command changed stays changed.\n`,
  )
  process.exit(1)
})

process.exitCode = await main(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  get signal() {
    // `once`, so that a second signal ends the program immediately.
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => interruption.abort())
    return interruption.signal
  },
  // The width is 0 when the terminal does not report it.
  columns: process.stdout.columns || undefined,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
})

async function ask(question: string): Promise<boolean> {
  // Stdin has ended when a fleet file was read from it.
  if (process.stdin.readableEnded) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    // Ctrl-C and Ctrl-D mean no; the newline moves the cursor below the question.
    const prompt = sanitizeForTerminal(`${question} [y/N] `)
    const answer = await terminal.question(prompt).catch(() => {
      process.stderr.write('\n')
      return ''
    })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
