/** The bytes with which a record of the central directory of a ZIP file begins. */
const entrySignature = 0x02014b50
const endSignature = 0x06054b50
const endLength = 22

/**
 * Returns the size of all files in a ZIP file, as its central directory declares them; 0 if the
 * directory is missing. A reader must not unpack a file beyond its declared size.
 */
export function unpackedBytes(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - endLength
  while (end >= 0 && view.getUint32(end, true) !== endSignature) end -= 1
  if (end < 0) return 0
  let total = 0
  let at = view.getUint32(end + 16, true)
  while (at + 46 <= end && view.getUint32(at, true) === entrySignature) {
    total += view.getUint32(at + 24, true)
    const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true))
    at += lengths.reduce((sum, length) => sum + length, 46)
  }
  return total
}
