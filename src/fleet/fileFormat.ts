import { isUtf8 } from 'node:buffer'
import { fileError } from './fleetFileError.ts'

const asWorkbook =
  'In your spreadsheet program, save it as an Excel workbook (.xlsx) with the sheets that ' +
  '`rental fleet template` has'

/** The first bytes of files of other formats, in hexadecimal. */
const startOfZip = '504b0304'
const startOfOle = 'd0cf11e0'
const utf16 = /^(fffe|feff)/

/**
 * Reports whether a fleet file is a workbook (.xlsx); otherwise it is text that may be JSON.
 * @throws FleetFileError for any other format, with what to do
 */
export function isWorkbook(bytes: Buffer): boolean {
  const start = bytes.toString('hex', 0, 4)
  if (start === startOfZip) {
    // OpenDocument files begin with an entry for their type.
    const isOds = bytes.toString('latin1', 30, 80).startsWith('mimetypeapplication/vnd.oasis')
    if (isOds) throw fileError(`is an OpenDocument spreadsheet (.ods). ${asWorkbook}`)
    return true
  }
  if (start === startOfOle) {
    const isEncrypted = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    throw fileError(
      isEncrypted
        ? 'is protected by a password. Save the workbook without one'
        : `is an old Excel workbook (.xls). ${asWorkbook}`,
    )
  }
  return false
}

/**
 * Decodes a JSON file.
 * @throws FleetFileError for a CSV file or other text, or with the line of the first invalid byte
 */
export function decodeJson(bytes: Buffer): string {
  if (utf16.test(bytes.toString('hex', 0, 2))) throw fileError('is UTF-16. Save it as UTF-8')
  if (!/^(\xef\xbb\xbf)?\s*[{[]/.test(bytes.toString('latin1', 0, 1_000))) {
    throw fileError(`is neither JSON nor a workbook (.xlsx). ${asWorkbook}`)
  }
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const lines = bytes.toString('latin1').split('\n')
  const first = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
  throw fileError(`is not UTF-8 in line ${first + 1}. Save the file as UTF-8`)
}
