import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { describeFsError } from '../../src/config/files.ts'

const failed = (code: string, facts: object) => Object.assign(new Error(code), { code, ...facts })

it.each<[string, Error, string | undefined]>([
  [
    'a missing file',
    failed('ENOENT', { syscall: 'open', path: '/x' }),
    'there is no such file or directory',
  ],
  [
    'a path through a file',
    failed('ENOTDIR', { syscall: 'open', path: '/x' }),
    'part of the path is a file',
  ],
  [
    'a file of another owner',
    failed('EPERM', { syscall: 'chmod', path: '/x' }),
    'permission denied',
  ],
  [
    'a read-only file system',
    failed('EROFS', { syscall: 'open', path: '/x' }),
    'the file system is read-only',
  ],
  [
    'a circular link',
    failed('ELOOP', { syscall: 'open', path: '/x' }),
    'its symbolic links form a loop',
  ],
  ['a full disk', failed('ENOSPC', { syscall: 'write' }), 'the disk is full'],
  ['reading a directory', failed('EISDIR', { syscall: 'read' }), 'it is a directory'],
  [
    'a file without permission',
    failed('EACCES', { syscall: 'open', path: '/x' }),
    'permission denied',
  ],
  [
    'linking to an existing file',
    failed('EEXIST', { syscall: 'link', dest: '/x' }),
    'a file with this name exists',
  ],
  ['an unknown error code', failed('EDQUOT', { syscall: 'open', path: '/x' }), undefined],
  ['a port without permission', failed('EACCES', { syscall: 'listen', address: '::' }), undefined],
  ['an error without a system call', failed('ENOENT', { path: '/x' }), undefined],
])('describes a file system error: %s', (_, error, words) => {
  expect(describeFsError(error)).toBe(words)
})

it('returns undefined for a missing socket', async () => {
  const error = await new Promise((resolve) => connect('/nowhere/socket').once('error', resolve))
  expect(describeFsError(error)).toBeUndefined()
})
