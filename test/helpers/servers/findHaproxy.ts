import { findProgram, type Program } from './findProgram.ts'

/**
 * Returns HAPROXY_PATH, the installed HAProxy or an unpacked one.
 * @throws Error with instructions if there is none
 */
export async function findHaproxy(): Promise<Program> {
  const given = process.env['HAPROXY_PATH']
  if (given) return { command: given, env: {} }
  return findProgram({
    names: ['haproxy'],
    debianPackage: 'haproxy',
    advice:
      'The tests need HAProxy 2.6 or newer: install it (apt-get install haproxy, brew install ' +
      'haproxy, apk add haproxy, dnf install haproxy), or set HAPROXY_PATH.',
  })
}
