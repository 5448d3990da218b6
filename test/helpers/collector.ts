import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A received span, with IDs in hex. */
export interface CollectedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, string>>
  readonly resource: Readonly<Record<string, string>>
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  close(): void
}

/** Starts an OpenTelemetry collector that stores the spans it receives as protobuf over HTTP. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (request.url === '/v1/traces') spans.push(...spansIn(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Reads the spans of an export request by the field numbers of opentelemetry/proto/trace/v1. */
function spansIn(request: Buffer): CollectedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const resource = attributesIn(all(one(resourceSpans, 1), 1))
    return all(resourceSpans, 2).flatMap((scopeSpans) =>
      all(scopeSpans, 2).map((span) => ({
        traceId: one(span, 1).toString('hex'),
        spanId: one(span, 2).toString('hex'),
        parentSpanId: one(span, 4).toString('hex'),
        name: one(span, 5).toString(),
        kind: Number(one(span, 6).toString()),
        attributes: attributesIn(all(span, 9)),
        resource,
      })),
    )
  })
}

function attributesIn(pairs: readonly Buffer[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value] = fields(one(pair, 2))
      return [one(pair, 1).toString(), value?.bytes.toString() ?? '']
    }),
  )
}

interface Field {
  readonly number: number
  /** The value of the field: raw bytes, or a number as decimal text. */
  readonly bytes: Buffer
}

const one = (message: Buffer, number: number) => all(message, number)[0] ?? Buffer.alloc(0)
const all = (message: Buffer, number: number) =>
  fields(message)
    .filter((field) => field.number === number)
    .map(({ bytes }) => bytes)

/** Parses protobuf's wire format: a tag, then a varint, a fixed-size number, or a length and bytes. */
function fields(message: Buffer): Field[] {
  const found: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const wireType = tag & 7
    const number = tag >> 3
    if (wireType === 0) found.push({ number, bytes: Buffer.from(String(varint())) })
    else if (wireType === 1) found.push({ number, bytes: take(8) })
    else if (wireType === 5) found.push({ number, bytes: take(4) })
    else found.push({ number, bytes: take(Number(varint())) })
  }
  return found
}
