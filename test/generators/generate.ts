import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const document = join(import.meta.dirname, '../../openapi.yaml')
const version = '7.15.0'
const name = 'openapi-generator-cli'
const jar =
  process.env['OPENAPI_GENERATOR_JAR'] ??
  join(homedir(), `.m2/repository/org/openapitools/${name}/${version}/${name}-${version}.jar`)

/** Warnings about every OpenAPI 3.1 document, or about names in the contract. */
const notOurs = [
  /OpenAPI 3.1 support is still in beta/,
  /From \(reserved word\) cannot be used as model name/,
  /Ignoring complex example on request body/,
]

/** A warning of the Python generator about every string in every document. */
const ofPython = /Failed to get the schema name: null/

/**
 * Downloads openapi-generator from Maven Central unless it exists.
 * @throws Error if a required program is missing
 */
export async function needGenerator(): Promise<void> {
  await needProgram('java', '-version')
  if (existsSync(jar)) return
  await needProgram('mvn', '--version')
  const artifact = `-Dartifact=org.openapitools:${name}:${version}`
  await run('mvn', ['-q', '-B', 'dependency:get', artifact, '-Dtransitive=false'])
}

/**
 * Checks that a program can be run.
 * @throws Error if it is missing, or fails with these words
 */
export async function needProgram(program: string, ...words: string[]): Promise<void> {
  await run(program, words).catch((cause) => {
    const command = [program, ...words].join(' ')
    throw new Error(`npm run test:generators needs a ${program} that runs \`${command}\``, {
      cause,
    })
  })
}

/** As in docs/integrate.md: without it, clients in Go and Java reject fields that v1 adds. */
const growing = '--additional-properties=disallowAdditionalPropertiesIfNotPresent=false'

/** Generates a client in a language into a folder. Returns the warnings about the document. */
export async function generate(language: string, folder: string): Promise<string[]> {
  const words = ['-jar', jar, 'generate', '-g', language, '-i', document, '-o', folder, growing]
  const { stdout, stderr } = await run('java', words, { maxBuffer: 1e8 })
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => /\b(WARN|ERROR)\b/.test(line))
  const known = language === 'python' ? [...notOurs, ofPython] : notOurs
  return lines.filter((line) => !known.some((words) => words.test(line)))
}
