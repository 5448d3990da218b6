import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')

export interface Service {
  readonly image?: string
  readonly pull_policy?: string
  readonly scale?: number
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>
  readonly network_mode?: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly stop_signal?: string
  readonly stop_grace_period?: string
  readonly environment?: Readonly<Record<string, string | null>>
  readonly secrets?: readonly string[]
  readonly ports?: readonly (string | { readonly host_ip?: string; readonly target: number })[]
  readonly mem_limit?: string
  readonly logging?: {
    readonly driver: string
    readonly options: Readonly<Record<'max-size' | 'max-file', string>>
  }
  readonly healthcheck?: { readonly test: readonly string[] }
}
interface Network {
  readonly internal?: boolean
  readonly driver_opts?: Readonly<Record<string, string>>
  readonly ipam?: { readonly config: readonly { readonly subnet: string }[] }
}
export interface Composed {
  readonly services: Readonly<Record<string, Service>>
  readonly networks?: Readonly<Record<string, Network | null>>
}
const withDefaults = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')
export const composed = (file: string) =>
  parse(withDefaults(read(file)), { merge: true }) as unknown as Composed
export const files = ['docker-compose.yml', 'docker/compose.citus.yml', 'docker/compose.dev.yml']
export const main = composed('docker-compose.yml')
export const citus = composed('docker/compose.citus.yml')
export const running = Object.entries(main.services).filter(([, { scale }]) => scale !== 0)
export const environmentOf = (name: string) => main.services[name]?.environment ?? {}
export const commandOf = ({ entrypoint = [], command = [] }: Service = {}) => [
  ...entrypoint,
  ...command,
]
