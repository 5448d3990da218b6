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
    // The widget throws none of the server's errors and needs no list of currencies.
    onResolve({ filter: /\/(errors|money)\.ts$/ }, ({ path, resolveDir }) =>
      resolveDir.endsWith('pricing')
        ? { path: join(resolveDir, path), sideEffects: false }
        : undefined,
    )
    // The package defines all of its elements. Without the definitions, unused ones are left out. The page
    // may have defined the others.
    onLoad({ filter: /\/cally\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      const unused = /^customElements\.define\("calendar-(date|multi|select-\w+)".*$/gm
      const used = code.replace(unused, '').replaceAll(' = k(', ' = /* @__PURE__ */ k(')
      const define = /customElements\.define\((".*"), /g
      return { contents: used.replaceAll(define, 'customElements.get($1) ?? $&') }
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

const options = {
  absWorkingDir: import.meta.dirname,
  outdir: 'dist',
  write: false,
  metafile: true,
  bundle: true,
  minifySyntax: true,
  format: 'esm',
  target: 'es2023',
  charset: 'utf8',
  define: { 'Array.from': 'arrayFrom' },
  inject: [here('arrayFrom.ts')],
}
const main = await build({
  ...options,
  entryPoints: {
    v1: 'index.ts',
    shared: 'shared.ts',
    'v1-price': 'price.ts',
    ...Object.fromEntries(languages.map((name) => [`v1-${name}`, `messages/${name}.ts`])),
  },
  plugins: [parts],
})

/** Replaces the modules of `shared.ts` by what the main file has of them. */
const { inputs, outputs } = main.metafile
const sharedModules = inputs['shared.ts'].imports.map(({ path }) => here(path))
const shared = {
  name: 'shared functions',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) =>
      sharedModules.includes(join(resolveDir, path))
        ? { path: 'shared', namespace: 'v1' }
        : undefined,
    )
    onLoad({ filter: /./, namespace: 'v1' }, () => ({
      contents: `export { ${outputs['dist/shared.js'].exports} } from 'shared'`,
    }))
  },
}
const readShared = (_, names) =>
  `let{${names.replaceAll(' as ', ':')}}=customElements.get("rental-booking").shared;`

const steps = await build({
  ...options,
  entryPoints: { 'v1-steps': 'lazy/steps.ts' },
  external: ['shared'],
  plugins: [shared, parts],
})

await mkdir(here('dist'), { recursive: true })
for (const { path, text } of [...main.outputFiles, ...steps.outputFiles]) {
  if (path.endsWith('/shared.js')) continue
  // This minifier's names compress better than esbuild's. With `let` instead of `var`, it also inlines
  // the constants of the modules.
  const constants = text.replaceAll(/^var /gm, 'let ')
  const { code, errors } = await minify(path, constants, { module: true })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  await writeFile(path, code.replace(/^import\{([^}]*)\}from"shared";/, readShared))
}
