import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ApiError } from '../../domain/errors.ts'
import { apiRoot } from '../chain/operation.ts'

/** Returns the weight of a content type that an `Accept` header names, otherwise 0. */
function weightOf(type: string, accept = ''): number {
  const range = accept.split(',').find((each) => each.split(';')[0]?.trim() === type)
  return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
}

/** Reports whether a client prefers a page to JSON, as browsers do. */
export const acceptsHtml = ({ headers: { accept } }: FastifyRequest) =>
  weightOf('text/html', accept) > weightOf('application/json', accept)

/** Tells whether browsers get an error of this request as a page: outside the API. */
export const hasErrorPage = ({ method, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith(apiRoot)

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; img-src data:; style-src 'self'",
  vary: 'Origin, Accept',
}

/** Returns the page for an error, with the ways on. */
export function errorPage({ status, message }: ApiError): string {
  const title = status === 404 ? 'Page not found' : STATUS_CODES[status]
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}: Rental Booking API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/home.css">
  </head>
  <body>
    <header>
      <p class="eyebrow">${status}</p>
      <h1>${title}</h1>
      <p class="lead">${message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>
      <p class="actions">
        <a class="main" href="/">Rental Booking API</a>
        <a href="/docs/integrate">Guide</a>
        <a href="/docs">Reference</a>
      </p>
    </header>
  </body>
</html>
`
}
