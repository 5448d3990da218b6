import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../../../src/domain/hasErrorCode.ts'
import { findProgram, type Program, type Wanted } from './findProgram.ts'

const redis: Wanted = {
  names: ['redis-server', 'valkey-server'],
  debianPackage: 'redis-tools',
  advice:
    'The tests need a Redis server: install one (apt-get install redis-server, brew install ' +
    'redis, apk add redis, dnf install valkey), or set TEST_REDIS_URL to one only for tests.',
  // redis-check-rdb is the same program and runs as the server under the server's name.
  afterUnpacking: (root) =>
    symlink('redis-check-rdb', join(root, 'usr', 'bin', 'redis-server')).catch((error) => {
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }),
}

/**
 * Returns an installed or unpacked Redis server.
 * @throws Error with instructions if there is none
 */
export function findRedis(searchPath?: string, cache?: string): Promise<Program> {
  return findProgram(redis, searchPath, cache)
}
