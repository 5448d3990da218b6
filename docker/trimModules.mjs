// Deletes files in node_modules that are not needed at run time, during the image build.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const unused = /\.(map|md|ts|mts|cts)$|swagger-ui-es-bundle|^node_modules\/[^@/]+\/test\//

for (const entry of await readdir('node_modules', { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  if (entry.isFile() && unused.test(path)) await rm(path)
}
