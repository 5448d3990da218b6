import { Marked } from 'marked'
import { type ErrorCode, errorTable } from '../src/domain/errors.ts'
import { escapeHtml, highlight } from './highlight.ts'

/** Returns the guide with its table of errors; codes with the same advice share a row. */
export function withErrors(markdown: string): string {
  const codes = Object.keys(errorTable) as ErrorCode[]
  const rows = [...new Set(codes.map((code) => errorTable[code].advice))].map((advice) => {
    const matching = codes.filter((code) => errorTable[code].advice === advice)
    return `| ${matching.map((code) => `\`${code}\``).join(' ')} | ${advice} |\n`
  })
  return markdown.replace(/(?<=^\| Code \| What to do \|\n.*\n)(\|.*\n)+/m, () => rows.join(''))
}

/** The addresses at which a running server has the documents; links to others become text. */
const addresses: Readonly<Record<string, string>> = {
  'integrate.md': '/docs/integrate',
  'contract.md': '/docs/contract',
  'clients/widget/README.md': '/docs/widget',
  'openapi.yaml': '/openapi.yaml',
  'public/flow.svg': '/docs/flow.svg',
}

/** Replaces links between files by links between pages. Leaves out pictures that are not served. */
const served = (markdown: string) =>
  markdown.replace(
    /(!?)\[([^\]]*)\]\(([^)#]+)(#[\w-]+)?\)/g,
    (link, sign, text, file, anchor = '') => {
      if (/^https?:/.test(file)) return link
      const address = addresses[file.replace(/^(\.\.\/)*(docs\/)?/, '')]
      if (address === undefined) return sign ? '' : text
      return `${sign}[${text}](${address}${anchor})`
    },
  )

/**
 * Marks what a running server fills in: its address, and the key in the programs for servers. The
 * key of a website is another one.
 */
const withPlaces = (markdown: string) =>
  markdown
    .replaceAll('https://api.example.com', '{{address}}')
    .replace(/^```(bash|ts|python|php)\n.*?^```$/gms, (block) =>
      block.replaceAll('pk_live_...', '{{serverKey}}'),
    )

/** Languages of the tabs, by the language of a code block. */
const tabs: Readonly<Record<string, string>> = {
  bash: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
}

/** Returns the id that GitHub gives to a heading, so that links work in both places. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const renderer = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = anchorOf(text)
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      const label = tabs[lang] ?? (lang === 'json' ? 'Response' : 'Code')
      const kind = lang in tabs ? `code" data-tab="${tabs[lang]}` : 'code'
      return `<div class="${lang === 'json' ? 'code response' : kind}"><p class="caption">${label}</p><pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(text, lang)}</code></pre></div>\n`
    },
    table(table) {
      const cells = (row: typeof table.header, tag: string) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
      const rows = table.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
      return `<div class="table" role="group" tabindex="0" aria-label="Table"><table><thead><tr>${cells(table.header, 'th')}</tr></thead><tbody>\n${rows}</tbody></table></div>\n`
    },
  },
})

const navigation = [
  ['/', 'Rental Booking API'],
  ['/docs/integrate', 'Guide'],
  ['/docs', 'Reference'],
  ['/docs/contract', 'Contract'],
  ['/docs/widget', 'Widget'],
] as const

/** Returns a document as an HTML page at `path`. */
export function guidePage(markdown: string, path: string): string {
  const source = served(withPlaces(markdown))
  const body = renderer.parse(source, { async: false, gfm: true })
  const headings = [...source.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
  const contents = headings.map(
    (text) => `<li><a href="#${anchorOf(text)}">${escapeHtml(text)}</a></li>`,
  )
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? []
  const links = navigation.map(
    ([to, name]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}: Public Rental Booking API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/page.css">
    <link rel="stylesheet" href="/docs/guide.css">
    <script type="module" src="/docs/guide.js"></script>
  </head>
  <body>
    <header><nav aria-label="Documents">${links.join('')}</nav></header>
    <div class="columns">
      <nav class="contents" aria-label="On this page"><ul>
${contents.join('\n')}
      </ul></nav>
      <main>
${groupTabs(body).trim()}
      </main>
    </div>
  </body>
</html>
`
}

/** Wraps code blocks of different languages that follow each other, for one row of tabs. */
const groupTabs = (html: string) =>
  html.replace(
    /(?:<div class="code" data-tab=.*?<\/pre><\/div>\n){2,}/gs,
    (blocks) => `<div class="tabs">\n${blocks}</div>\n`,
  )

interface Document {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>
}

/** Returns llms.txt: the API in brief, its documents, and the whole guide. */
export function llmsText({ info, paths }: Document, guide: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `- ${method.toUpperCase()} /api/v1${path}: ${summary}`,
    ),
  )
  return `# ${info.title}

> ${info.summary}

${info.description}

## Documents

- [OpenAPI]({{address}}/openapi.yaml): every operation, schema and example
- [Arazzo]({{address}}/arazzo.yaml): the steps of a booking
- [Guide]({{address}}/docs/integrate): the same as below
- [Contract]({{address}}/docs/contract): the rules
- [Reference]({{address}}/docs): to read and try

## Operations

${operations.join('\n')}

${served(withPlaces(guide))
  .replace(/^!\[.*\n\n/m, '')
  .replace(/^# (.*)$/m, '## $1')
  .replace(/^## (?!Integrate)/gm, '### ')}`
}
