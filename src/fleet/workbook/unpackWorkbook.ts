import { constants, createInflateRaw } from 'node:zlib'
import { fileError } from '../fleetFileError.ts'

/** The bytes with which a record of the central directory of a ZIP file begins. */
const entrySignature = 0x02014b50
const endSignature = 0x06054b50
const endLength = 22

const unpackedBytesMax = 100_000_000
/** The reader needs up to twenty times as much memory. 20,000 vehicles are 3 MB. */
const contentBytesMax = 12_000_000
/** A row is kept until its end, but no longer than this. */
const rowLengthMax = 100_000

/** Matches cells and rows that have a format, but no content. */
const emptyCells =
  /<(?:\w+:)?row\b[^<>]*>(?:\s*<(?:\w+:)?c\b[^<>]*(?:\/>|><\/(?:\w+:)?c>))*\s*<\/(?:\w+:)?row>|<(?:\w+:)?(?:c|row)\b[^<>]*\/>/g

/** Yields the files of a ZIP file. The sizes that it declares are not used. */
function* filesIn(bytes: Buffer) {
  let end = bytes.length - endLength
  while (end >= 0 && bytes.readUInt32LE(end) !== endSignature) end -= 1
  let at = end < 0 ? 0 : bytes.readUInt32LE(end + 16)
  while (at + 46 <= end && bytes.readUInt32LE(at) === entrySignature) {
    const [nameLength = 0, ...others] = [28, 30, 32].map((offset) =>
      bytes.readUInt16LE(at + offset),
    )
    const start = bytes.readUInt32LE(at + 42)
    const content = [26, 28].reduce(
      (sum, offset) => sum + bytes.readUInt16LE(start + offset),
      start,
    )
    yield {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      isPacked: bytes.readUInt16LE(at + 10) !== 0,
      content: bytes.subarray(content + 30, content + 30 + bytes.readUInt32LE(at + 20)),
    }
    at += others.reduce((sum, length) => sum + length, 46 + nameLength)
  }
}

/**
 * Unpacks the XML files of a workbook, without cells that have only a format, and counts the bytes
 * while it unpacks.
 * @throws FleetFileError for too many bytes; an error of zlib for a damaged file
 */
export async function unpackWorkbook(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>()
  let unpacked = 0
  let kept = 0
  for (const { name, isPacked, content } of filesIn(bytes)) {
    const parts: Buffer[] = []
    const keep = (part: Buffer) => {
      kept += part.length
      if (kept > contentBytesMax) throw fileError(tooMuchContent)
      parts.push(part)
    }
    // Pictures and the like are not read.
    if (!/\.(xml|rels)$/i.test(name) && name !== 'mimetype') continue
    let row = ''
    // Without finishFlush, zlib does not report a file that is cut off, but waits for its end.
    const inflate = createInflateRaw({ finishFlush: constants.Z_FINISH })
    for await (const chunk of isPacked ? inflate.end(content) : [content]) {
      unpacked += chunk.length
      if (unpacked > unpackedBytesMax) throw fileError(tooLarge)
      if (/worksheets\//i.test(name)) {
        // Latin-1 keeps each byte.
        const text = `${row}${chunk.toString('latin1')}`.replace(emptyCells, '')
        const begin = text.lastIndexOf('<row')
        const starts = [begin, text.lastIndexOf('<'), text.length]
        const start = starts.find((at) => at >= 0 && text.length - at <= rowLengthMax)
        row = text.slice(start)
        keep(Buffer.from(text.slice(0, text.length - row.length), 'latin1'))
      } else keep(chunk)
    }
    keep(Buffer.from(row, 'latin1'))
    files.set(name, Buffer.concat(parts))
  }
  return files
}

const tooLarge = `unpacks to more than ${unpackedBytesMax / 1e6} MB: remove sheets of your own`
const tooMuchContent = `has more than ${contentBytesMax / 1e6} MB of content: remove sheets of your own and cells beyond the tables`
