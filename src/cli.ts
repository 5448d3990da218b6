#!/usr/bin/env node
import { main } from './admin/main.ts'

process.exitCode = await main(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
})
