import { marked } from 'marked'
import { type ErrorCode, errorTable } from '../src/domain/errors.ts'

/** Returns the guide with its table of errors; codes with the same advice share a row. */
export function withErrors(markdown: string): string {
  const codes = Object.keys(errorTable) as ErrorCode[]
  const rows = [...new Set(codes.map((code) => errorTable[code].advice))].map((advice) => {
    const matching = codes.filter((code) => errorTable[code].advice === advice)
    return `| ${matching.map((code) => `\`${code}\``).join(' ')} | ${advice} |\n`
  })
  return markdown.replace(/(?<=^\| Code \| What to do \|\n.*\n)(\|.*\n)+/m, () => rows.join(''))
}

/** Replaces links to sources, which a running server does not serve. */
const served = (markdown: string) =>
  markdown
    .replaceAll('`](../openapi.yaml)', '`](/docs)')
    .replaceAll('](../openapi.yaml)', '](/openapi.yaml)')
    .replaceAll(/\[([^\]]+)\]\((contract\.md(#[\w-]+)?|\.\.\/clients\/\w+)\)/g, '$1')

/** Returns the guide as an HTML page. */
export function guidePage(markdown: string): string {
  const body = marked.parse(served(markdown), { async: false, gfm: true })
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Integrate: Public Rental Booking API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/page.css">
  </head>
  <body>
    <main class="guide">
${body.trim()}
    </main>
  </body>
</html>
`
}

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

- [OpenAPI](/openapi.yaml): every operation, schema and example
- [Arazzo](/arazzo.yaml): the three steps of a booking
- [Guide](/docs/integrate): the same as below
- [Reference](/docs): to read and try

## Operations

${operations.join('\n')}

${served(guide)
  .replace(/^# (.*)$/m, '## $1')
  .replace(/^## (?!Integrate)/gm, '### ')}`
}
