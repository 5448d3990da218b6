import { z } from 'zod'

/**
 * No comma unless it is quoted, since Node joins repeated headers with one. What begins with a
 * quote is a string of RFC 9651, which escapes `"` and `\` only.
 */
const format =
  /^(?:[\x21\x23-\x2b\x2d-\x7e][\x21-\x2b\x2d-\x7e]{0,254}|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255}")$/

/** The key as it is recorded: the same with quotes around it or without (decision 30). */
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
