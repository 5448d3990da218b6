#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { main } from './cli/main.ts'
import { sanitizeForTerminal } from './cli/terminal/cell.ts'
import { describeFsError } from './config/files.ts'

// Whoever reads may stop early (`rental keys list … | head`): that is no failure of ours.
const interruption = new AbortController()
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return interruption.abort()
  const trouble = describeFsError(error) ?? error.message
  process.stderr.write(
    `Can't write the output: ${trouble}. What the command changed stays changed.\n`,
  )
  process.exit(1)
})

process.exitCode = await main(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  get signal() {
    // A second one ends the program at once.
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => interruption.abort())
    return interruption.signal
  },
  // 0 where nobody has told the terminal how wide it is.
  columns: process.stdout.columns || undefined,
  writeProgress: process.stderr.isTTY
    ? (text) => void process.stderr.write(`\r${text}\x1b[K`)
    : undefined,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
})

async function ask(question: string): Promise<boolean> {
  // A fleet file was read from there, and nothing can be any more.
  if (process.stdin.readableEnded) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    // Ctrl-C and Ctrl-D are no yes, and leave the cursor behind the question.
    const asked = sanitizeForTerminal(`${question} [y/N] `)
    const answer = await terminal.question(asked).catch(() => {
      process.stderr.write('\n')
      return ''
    })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
