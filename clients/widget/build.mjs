// Makes what browsers load: one module with the client, the styles and the English words inside,
// and a file for each thing it loads when it is needed. All names stay: a page keeps a file for long.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, transform } from 'esbuild'
import { minify } from 'rolldown/utils'

const here = (path) => join(import.meta.dirname, path)

const parts = {
  name: 'parts of the widget',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined
      return { path: `./v1-${basename(path, '.ts')}.js`, external: true }
    })
    onResolve({ filter: /\/zone\.ts$/ }, () => ({ path: here('zone.ts') }))
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
      })
      // Left by esbuild where a custom property is set or falls back.
      return { contents: code.trim().replaceAll(/ ?([:,/]) /g, '$1'), loader: 'text' }
    })
  },
}

/** But English, which is in the first file. */
const languages = (await readdir(here('messages')))
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'en')

const { outputFiles } = await build({
  entryPoints: {
    v1: here('index.ts'),
    'v1-guide': here('guide.ts'),
    'v1-receipt': here('receipt.ts'),
    ...Object.fromEntries(languages.map((name) => [`v1-${name}`, here(`messages/${name}.ts`)])),
  },
  outdir: here('dist'),
  write: false,
  bundle: true,
  minifySyntax: true,
  format: 'esm',
  target: 'es2023',
  charset: 'utf8',
  plugins: [parts],
})
await mkdir(here('dist'), { recursive: true })
for (const { path, text } of outputFiles) {
  // Names what a function has inside by the same few letters as the next: a fortieth less, compressed.
  // The constants of its modules, of which esbuild makes variables, are put in where they are used.
  const constants = text.replaceAll(/^var /gm, 'let ')
  const { code, errors } = await minify(path, constants, { module: true })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  await writeFile(path, code)
}
