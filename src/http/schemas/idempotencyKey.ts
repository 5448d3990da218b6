import { z } from 'zod'

/**
 * Excludes commas unless quoted, because Node joins repeated headers with a comma. A quoted key is
 * an RFC 9651 string, which escapes only `"` and `\`.
 */
const format =
  /^(?:[\x21\x23-\x2b\x2d-\x7e][\x21-\x2b\x2d-\x7e]{0,254}|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255}")$/

/** Parses an idempotency key; with or without surrounding quotes it is the same key. */
export const idempotencyKey = z
  .string()
  .regex(
    format,
    'must be 1 to 255 visible ASCII characters without a comma, or a double-quoted string, which may contain spaces and commas',
  )
  .meta({ minLength: 1, maxLength: 512 })
  .transform((value) =>
    value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value,
  )
