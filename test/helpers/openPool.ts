import { parseConfig } from '../../src/config/environment.ts'
import { openDatabase } from '../../src/db/connection/database.ts'

type DatabaseOptions = Parameters<typeof openDatabase>[0]

/** Opens a pool of one connection with the default settings, which reports no lost connections. */
export const openPool = (url: string, options: Partial<DatabaseOptions> = {}) =>
  openDatabase({ ...parseConfig({}), url, poolMax: 1, onConnectionLost() {}, ...options })
