import { z } from 'zod'
import { type ApiResponse, assert } from './runContext.ts'

// Do not import the server's own schemas: a change of them must not hide a broken contract.
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

/**
 * Returns the payload of a successful response.
 * @throws Error if the status, the envelope or the fields differ
 */
export function payloadOf<T extends z.ZodType>(response: ApiResponse, status: number, schema: T) {
  assert(
    response.status === status,
    `expected ${status}, got ${response.status}: ${excerpt(response)}`,
  )
  const envelope = z.strictObject({ data: z.unknown() }).safeParse(json(response))
  assert(envelope.success, `${status} does not have "data" as its only key: ${excerpt(response)}`)
  const result = schema.safeParse(envelope.data.data)
  assert(result.success, `${status}: ${result.error && z.prettifyError(result.error)}`)
  return result.data
}

/**
 * Returns the paths in the details of an error response.
 * @throws Error if the status, the code or the envelope differ
 */
export function expectError(response: ApiResponse, status: number, code: string): string[] {
  const result = errorEnvelope.safeParse(json(response))
  assert(result.success, `${response.status} is not in the error envelope: ${excerpt(response)}`)
  const { error } = result.data
  assert(
    response.status === status && error.code === code,
    `expected ${status} ${code}, got ${response.status} ${error.code}`,
  )
  return (error.details ?? []).map(({ path }) => path)
}

function json(response: ApiResponse): unknown {
  try {
    return JSON.parse(response.text)
  } catch {
    return undefined
  }
}

const excerpt = ({ text }: ApiResponse) => text.slice(0, 200)
