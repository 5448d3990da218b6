import { findProgram, type Program } from './findProgram.ts'

/** HAPROXY_PATH, or the HAProxy that is installed, or one unpacked. Throws one line that says how to get one. */
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
