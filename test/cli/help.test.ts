import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { leavesOf, nameOf } from '../../src/cli/terminal/help.ts'
import { program } from '../helpers/cliDocuments.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const commands = useCommandLine()
const { run } = commands

const names = leavesOf(program()).map(nameOf)
const groups = [...new Set(names.filter((name) => name.includes(' ')).map(firstWord))]

function firstWord(name: string): string {
  return name.split(' ')[0] ?? ''
}

describe('rental help', () => {
  it('lists every command', async () => {
    const { exitCode, out } = await run('help')
    expect(exitCode).toBe(0)
    for (const name of names) expect(out).toContain(`\n  ${name} `)
    expect(out).toContain('\nOptions:\n')
    expect(out).toContain('\nExamples:\n  rental ')
    expect(await run('--help')).toEqual({ exitCode: 0, out, error: '' })
    expect(await run()).toEqual({ exitCode: 2, out: '', error: out })
  })

  it.each(names)('explains %s', async (name) => {
    const { exitCode, out } = await run(...name.split(' '), '--help')
    expect(exitCode).toBe(0)
    expect(out).toContain(`Usage: rental ${name}`)
    expect(out).toMatch(/--json +print the result as JSON/)
    expect(out).toContain(`\nExamples:\n  rental ${name}`)
    expect(await run('help', ...name.split(' '))).toEqual({ exitCode: 0, out, error: '' })
  })

  it.each(groups)('lists the commands that begin with %s', async (group) => {
    const { exitCode, out } = await run(group, '--help')
    expect(exitCode).toBe(0)
    expect(out).toContain('--help')
    const listed = [...out.matchAll(/^ {2}([a-z]+ [a-z]+) {2}/gm)].map(([, name]) => name)
    expect(listed).toEqual(names.filter((name) => firstWord(name) === group))
    for (const name of listed) expect(out).toContain(`\n  rental ${name}`)
    expect(await run('help', group)).toEqual({ exitCode: 0, out, error: '' })
    expect(await run(group)).toEqual({ exitCode: 2, out: '', error: out })
  })

  it.each(names)(
    'shows examples of %s that have every required option and no unknown option',
    async (name) => {
      const helping = commandLineOn(commands.url)([...name.split(' '), '--help'], {
        columns: 1_000,
      })
      const [, options = '', shown = ''] =
        /\nOptions:\n([\s\S]*)\nExamples:\n([\s\S]*)/.exec((await helping).out) ?? []
      const known = [...options.matchAll(/^ +--([a-z-]+).*/gm)]
      const required = known.filter(([line]) => line.endsWith('(required)')).map(([, one]) => one)
      const examples = shown.trimEnd().split(/\n(?= {2}\S)/)
      expect(examples).not.toEqual([])
      for (const example of examples) {
        for (const line of example.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
        expect(example).toMatch(new RegExp(`^ {2}rental ${name}( |$)`))
        const given = [...example.matchAll(/--([a-z-]+)/g)].map(([, option]) => option)
        expect(known.map(([, option]) => option)).toEqual(expect.arrayContaining(given))
        expect(given).toEqual(expect.arrayContaining(required))
      }
    },
  )
})

describe('rental --version', () => {
  it('prints the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await run('--version')).toEqual({ exitCode: 0, out: `${version}\n`, error: '' })
  })
})
