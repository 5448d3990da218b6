import { CFB } from '@e965/xlsx'

/** Returns a row of cells: a text as an inline string, or the XML of a cell without its address. */
const row = (number: number, ...cells: readonly string[]) => {
  const written = cells.map((cell, column) => {
    const address = `r="${'ABCD'[column]}${number}"`
    return cell.startsWith('<c')
      ? cell.replace('<c', `<c ${address}`)
      : `<c ${address} t="inlineStr"><is><t>${cell}</t></is></c>`
  })
  return `<row r="${number}">${written.join('')}</row>`
}
const sheet = (...rows: readonly (readonly string[])[]) =>
  `<worksheet xmlns="${main}"><sheetData>${rows.map((cells, index) => row(index + 1, ...cells)).join('')}</sheetData></worksheet>`

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

const sheets = {
  Company: sheet(
    ['Setting', 'Value'],
    ['Name', '<c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>'],
    ['Time zone', 'Asia/Tokyo'],
    ['Currency', 'JPY'],
    ['Tax percent', '<c s="2"><v>0.1</v></c>'],
  ),
  Groups: sheet(
    ['Group', 'Name'],
    ['kei', '<c t="str"><f>"#N/"&amp;"A"</f><v>#N/A</v></c>'],
    ['van', '_x0041__x005F_x0042_'],
  ),
  Vehicles: sheet(
    ['Vehicle', 'Group', '#mine'],
    ['品川 300 あ 12-34', 'kei', '<c s="0"><v>5</v></c>'],
  ),
  Rates: sheet(
    ['Group', 'Per\nday', 'Valid from', 'Valid to'],
    [
      'kei',
      '3,000',
      '<c t="d" s="1"><v>2027-06-01T00:00:00</v></c>',
      '<c t="d"><v>2027-08-31T00:00:00.000Z</v></c>',
    ],
    ['van', '４５００', '<c/>', '<c/>'],
  ),
}

const names = Object.keys(sheets)
const list = (line: (name: string, number: number) => string) =>
  names.map((name, index) => line(name, index + 1)).join('')

const files: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${list((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}</Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${list((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${list((_, n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId99" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="170" formatCode="yyyy-mm-dd"/></numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="170" applyNumberFormat="1"/><xf numFmtId="9" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ...Object.fromEntries(
    Object.values(sheets).map((content, index) => [`xl/worksheets/sheet${index + 1}.xml`, content]),
  ),
}

/** Gives each tag a prefix, as programs do that write all namespaces out. */
const withPrefix = (xml: string) =>
  xml.replace(/<(\/?)(\w)/g, '<$1x:$2').replace(' xmlns=', ' xmlns:x=')

/**
 * Returns a workbook with what few programs write: phonetic guides, dates as text, escaped characters.
 * `changed` replaces files of the package.
 */
export function oddWorkbook({
  hasPrefix = false,
  changed = {},
}: {
  hasPrefix?: boolean
  changed?: Readonly<Record<string, string>>
} = {}): Buffer {
  const container = CFB.utils.cfb_new()
  for (const [name, xml] of Object.entries({ ...files, ...changed })) {
    const isPrefixed = hasPrefix && name.startsWith('xl/') && name.endsWith('.xml')
    CFB.utils.cfb_add(container, name, Buffer.from(isPrefixed ? withPrefix(xml) : xml))
  }
  return CFB.write(container, { fileType: 'zip', type: 'buffer', compression: true })
}
