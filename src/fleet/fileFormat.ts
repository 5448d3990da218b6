import { isUtf8 } from 'node:buffer'
import { fileError } from './fleetFileError.ts'

/** The first bytes of a ZIP file, and of an old or encrypted workbook, in hexadecimal. */
const startOfWorkbook = /^(504b0304|d0cf11e0)/

/** Reports whether a fleet file is a workbook; otherwise it is text that may be JSON. */
export const isWorkbook = (bytes: Buffer) => startOfWorkbook.test(bytes.toString('hex', 0, 4))

/**
 * Decodes a JSON file.
 * @throws FleetFileError for a CSV file, other text, or another encoding than UTF-8
 */
export function decodeJson(bytes: Buffer): string {
  // The start may have a byte order mark, and UTF-16 has NUL bytes.
  if (!/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*[{[]/.test(bytes.toString('latin1', 0, 1_000))) {
    throw fileError(
      'is neither JSON nor a workbook (.xlsx). In your spreadsheet program, save it as an Excel ' +
        'workbook (.xlsx) with the sheets that `rental fleet template` has',
    )
  }
  if (!isUtf8(bytes)) throw fileError('is not UTF-8. Save the file as UTF-8')
  return bytes.toString('utf8')
}
