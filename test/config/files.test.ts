import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { describeFsError } from '../../src/config/files.ts'

const failed = (code: string, facts: object) => Object.assign(new Error(code), { code, ...facts })

it.each<[string, Error, string | undefined]>([
  [
    'a typing error',
    failed('ENOENT', { syscall: 'open', path: '/x' }),
    'there is no such file or directory',
  ],
  [
    'a path through a file',
    failed('ENOTDIR', { syscall: 'open', path: '/x' }),
    'part of the path is a file',
  ],
  ['another owner’s', failed('EPERM', { syscall: 'chmod', path: '/x' }), 'permission denied'],
  [
    'a disk that was mounted to be read',
    failed('EROFS', { syscall: 'open', path: '/x' }),
    'the file system is read-only',
  ],
  [
    'a link to itself',
    failed('ELOOP', { syscall: 'open', path: '/x' }),
    'its links lead in a circle',
  ],
  ['a full disk', failed('ENOSPC', { syscall: 'write' }), 'the disk is full'],
  ['a directory that is read', failed('EISDIR', { syscall: 'read' }), 'it is a directory'],
  ['a closed one', failed('EACCES', { syscall: 'open', path: '/x' }), 'permission denied'],
  ['a link', failed('EEXIST', { syscall: 'link', dest: '/x' }), 'a file is in its place'],
  ['something new', failed('EDQUOT', { syscall: 'open', path: '/x' }), undefined],
  ['a port', failed('EACCES', { syscall: 'listen', address: '::' }), undefined],
  ['no call of the system', failed('ENOENT', { path: '/x' }), undefined],
])('what the system says of a file is said in words: %s', (_, error, words) => {
  expect(describeFsError(error)).toBe(words)
})

it('a socket that is not there is no trouble with a file', async () => {
  const error = await new Promise((resolve) => connect('/nowhere/socket').once('error', resolve))
  expect(describeFsError(error)).toBeUndefined()
})
