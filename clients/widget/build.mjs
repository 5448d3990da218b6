// Bundles the widget: one module with the client and styles, and one file for each dynamic import. Do
// not change file names: cached modules import them for a long time.
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
    onResolve({ filter: /\/zone\.ts$|\/timeZone\.ts$/ }, () => ({ path: here('zone.ts') }))
    // Prices of the server's modules need no list of currencies.
    onResolve({ filter: /^countries-list/ }, ({ path }) => ({ path, namespace: 'none' }))
    onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'export const currencies = {}' }))
    // The package defines all of its elements. Without the definitions, unused ones are left out.
    onLoad({ filter: /\/cally\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      const unused = /^customElements\.define\("calendar-(date|multi|select-\w+)".*$/gm
      return { contents: code.replace(unused, '').replaceAll(' = k(', ' = /* @__PURE__ */ k(') }
    })
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
      })
      // esbuild keeps these spaces in values and fallbacks of custom properties.
      return { contents: code.trim().replaceAll(/ ?([:,/]) /g, '$1'), loader: 'text' }
    })
  },
}

const languages = (await readdir(here('messages'))).map((file) => basename(file, '.ts'))

const { outputFiles } = await build({
  entryPoints: {
    v1: here('index.ts'),
    'v1-price': here('price.ts'),
    'v1-guide': here('lazy/guide.ts'),
    'v1-period': here('lazy/period.ts'),
    'v1-steps': here('lazy/steps.ts'),
    ...Object.fromEntries(languages.map((name) => [`v1-${name}`, here(`messages/${name}.ts`)])),
  },
  outdir: here('dist'),
  write: false,
  bundle: true,
  minifySyntax: true,
  format: 'esm',
  target: 'es2023',
  charset: 'utf8',
  define: { 'Array.from': 'arrayFrom' },
  inject: [here('arrayFrom.ts')],
  plugins: [parts],
})
await mkdir(here('dist'), { recursive: true })
for (const { path, text } of outputFiles) {
  // This minifier's names compress better than esbuild's. With `let` instead of `var`, it also inlines
  // the constants of the modules.
  const constants = text.replaceAll(/^var /gm, 'let ')
  const { code, errors } = await minify(path, constants, { module: true })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  await writeFile(path, code)
}
