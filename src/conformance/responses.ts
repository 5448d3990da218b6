import { z } from 'zod'
import { type Answer, assert } from './runContext.ts'

// The contract's shapes, written down a second time on purpose: the kit trusts no server's code.
const uuid = z.guid()
const instant = z.iso.datetime()
const decimal = z.string().regex(/^\d+(\.\d+)?$/)

export const assetGroups = z.array(
  z.object({
    id: uuid,
    name: z.string(),
    category: z.string(),
    description: z.string().nullish(),
    imageUrl: z.string().nullish(),
  }),
)
export const rates = z.array(
  z.object({
    id: uuid,
    name: z.string(),
    dailyRate: decimal,
    hourlyRate: decimal.nullish(),
    weeklyRate: decimal.nullish(),
    monthlyRate: decimal.nullish(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    validFrom: z.iso.date().nullish(),
    validTo: z.iso.date().nullish(),
  }),
)
export const availability = z.object({
  assetGroupId: uuid,
  from: instant,
  to: instant,
  available: z.boolean(),
  availableCount: z.int().min(0),
  totalAssets: z.int().min(0),
})
export const session = z.object({ sessionToken: z.string().min(1), expiresAt: instant })
export const quote = z.object({
  quoteId: uuid,
  assetGroupId: uuid,
  pickupDatetime: instant,
  dropoffDatetime: instant,
  total: decimal,
  currency: z.string().regex(/^[A-Z]{3}$/),
  expiresAt: instant,
})
export const booking = z.object({
  bookingId: uuid,
  status: z.enum(['pending', 'confirmed', 'rejected', 'cancelled']),
  assetGroupId: uuid.nullish(),
  pickupDatetime: instant,
  dropoffDatetime: instant,
  estimatedTotal: decimal.nullish(),
  currency: z.string().nullish(),
  createdAt: instant,
})

const errorEnvelope = z.strictObject({
  error: z.object({
    code: z.string(),
    message: z.string().min(1),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
})

/** The payload of a successful answer. Throws when status, envelope or fields differ. */
export function payloadOf<T extends z.ZodType>(answer: Answer, status: number, schema: T) {
  assert(answer.status === status, `expected ${status}, got ${answer.status}: ${excerpt(answer)}`)
  const envelope = z.strictObject({ data: z.unknown() }).safeParse(json(answer))
  assert(envelope.success, `${status} does not have "data" as its only key: ${excerpt(answer)}`)
  const result = schema.safeParse(envelope.data.data)
  assert(result.success, `${status}: ${result.error && z.prettifyError(result.error)}`)
  return result.data
}

/** Holds a refusal to its status, its code and the envelope; returns the paths of its details. */
export function refusal(answer: Answer, status: number, code: string): string[] {
  const result = errorEnvelope.safeParse(json(answer))
  assert(result.success, `${answer.status} is not in the error envelope: ${excerpt(answer)}`)
  const { error } = result.data
  assert(
    answer.status === status && error.code === code,
    `expected ${status} ${code}, got ${answer.status} ${error.code}`,
  )
  return (error.details ?? []).map(({ path }) => path)
}

function json(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text)
  } catch {
    return undefined
  }
}

const excerpt = ({ text }: Answer) => text.slice(0, 200)
