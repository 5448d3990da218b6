/**
 * A text as SQL compares it when people look for it: whatever its case, and however its accents are
 * composed (decision 477). Only UTF-8 has several ways to write one, and PostgreSQL refuses to
 * normalise anything else.
 */
export const folded = (text: string) =>
  `lower(case getdatabaseencoding() when 'UTF8' then normalize(${text}, NFC) else ${text} end)`
