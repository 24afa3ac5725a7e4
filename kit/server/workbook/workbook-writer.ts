import { defined } from '#kit/domain/defined.ts'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { columnName } from './worksheet.ts'
import type { OutputColumn, Row, RowBatches } from './column.ts'
import {
  xmlDeclaration,
  escapeXml,
  canInlineOptions,
  headingRowOf,
  mainNamespace,
  writeSheetXml,
} from './sheet-xml.ts'
import { buildStyles } from './styles.ts'
import { writeZip, type ZipSource } from './zip-writer.ts'

/** The type of the files written here. */
export const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface SheetToWrite {
  readonly name: string
  readonly columns: readonly OutputColumn[]
  readonly rows: RowBatches
  /** Lines above the headings: what is shown and when it was made. */
  readonly head?: readonly string[]
  /** The last line. */
  readonly totals?: Row | undefined
}

export type SheetExtras = Pick<SheetToWrite, 'head' | 'totals'>

export interface WriteResult {
  /** Rows of all sheets, headings not counted. */
  readonly rows: number
  readonly bytes: number
}

/**
 * Writes an xlsx file of one sheet into `out` and ends it; rows are taken as fast as `out` takes bytes, one
 * batch is held (EXP-3). Rejects when `rows` throws or `out` breaks off; `rows` is closed then. RangeError
 * above 1,048,575 rows.
 */
export const writeWorkbook = (
  columns: readonly OutputColumn[],
  rows: RowBatches,
  out: Writable,
  { sheetName = '数据', ...extras }: { readonly sheetName?: string } & SheetExtras = {},
): Promise<WriteResult> => writeSheets([{ name: sheetName, columns, rows, ...extras }], out)

/** The same with several sheets, one after the other; names are made fit for Excel and for each other. */
export async function writeSheets(sheets: readonly SheetToWrite[], out: Writable): Promise<WriteResult> {
  const lists = longLists(sheets.flatMap(s => s.columns))
  const all: (SheetToWrite & { hidden?: boolean })[] = lists.sheet ? [...sheets, lists.sheet] : [...sheets]
  const names = fitSheetNames(all.map(s => s.name))
  const styles = buildStyles(sheets.flatMap(s => s.columns))
  const written = { rows: 0, bytes: 0 }
  const at = lists.sheet ? `${quoteSheetName(defined(names.at(-1)))}!` : ''
  const counted = (n: number) => void (written.rows += n)
  const parts: ZipSource[] = [
    xmlPart('[Content_Types].xml', contentTypesXml(all.length)),
    xmlPart('_rels/.rels', relationsXml([['officeDocument', 'xl/workbook.xml']])),
    xmlPart(
      'xl/workbook.xml',
      workbookXml(
        names,
        all.map(s => headingRowOf(s)),
        lists.sheet !== undefined,
      ),
    ),
    xmlPart(
      'xl/_rels/workbook.xml.rels',
      relationsXml([
        ...all.map((_, i): [string, string] => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
        ['styles', 'styles.xml'],
      ]),
    ),
    xmlPart('xl/styles.xml', styles.xml()),
    ...all.map((sheetToWrite, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      chunks: writeSheetXml(
        sheetToWrite,
        styles,
        c => escapeXml(at + lists.place(c)),
        sheetToWrite === lists.sheet ? () => undefined : counted,
      ),
    })),
  ]
  await pipeline(
    writeZip(parts),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        written.bytes += chunk.length
        yield chunk
      }
    },
    out,
  )
  return written
}

/** Lists too long for a rule are side by side on one hidden sheet. */
function longLists(columns: readonly OutputColumn[]): {
  sheet: SheetToWrite | undefined
  place(c: OutputColumn): string
} {
  const lists = [
    ...new Set(columns.flatMap(c => (c.options?.length && !canInlineOptions(c.options) ? [c.options] : []))),
  ]
  const longest = Math.max(0, ...lists.map(l => l.length))
  const rows = Array.from({ length: longest }, (_, i) => lists.map(l => l[i]))
  return {
    sheet: lists.length
      ? {
          name: '选项',
          columns: lists.map((_, i) => ({ heading: `列表${i + 1}`, format: '@', width: 20 })),
          rows: [rows],
        }
      : undefined,
    place: c => {
      const column = columnName(lists.indexOf(defined(c.options)))
      return `$${column}$2:$${column}$${defined(c.options).length + 1}`
    },
  }
}

/** Excel forbids some signs, more than 31 letters, and two names that differ in case alone. */
function fitSheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name, i) => {
    const fit =
      name
        .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
        .replace(/^[\s']+|[\s']+$/g, '')
        .slice(0, 31) || `表${i + 1}`
    let tried = fit
    for (let n = 2; taken.has(tried.toLowerCase()); n++) {
      tried = fit.slice(0, 30 - String(n).length) + `_${n}`
    }
    taken.add(tried.toLowerCase())
    return tried
  })
}

const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006'
const sheetMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const xmlPart = (name: string, xml: string): ZipSource => ({ name, chunks: [Buffer.from(xml)] })

const relationsXml = (links: readonly (readonly [type: string, target: string])[]): string => {
  const relations = links.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${officeNamespace}/${type}" Target="${target}"/>`,
  )
  return `${xmlDeclaration}<Relationships xmlns="${packageNamespace}/relationships">${relations.join('')}</Relationships>`
}

/** A sheet's name as a formula names it. */
const quoteSheetName = (name: string): string => `'${name.replaceAll("'", "''")}'`

/** The line of headings is printed on every page. */
const printTitlesXml = (names: readonly string[], headingRows: readonly number[]): string =>
  `<definedNames>${names
    .map((name, i) => {
      const row = defined(headingRows[i])
      const range = escapeXml(`${quoteSheetName(name)}!$${row}:$${row}`)
      return `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">${range}</definedName>`
    })
    .join('')}</definedNames>`

const workbookXml = (names: readonly string[], headingRows: readonly number[], hideLast: boolean): string =>
  `${xmlDeclaration}<workbook xmlns="${mainNamespace}" xmlns:r="${officeNamespace}"><sheets>${names
    .map(
      (name, i) =>
        `<sheet name="${escapeXml(name)}" sheetId="${i + 1}"${hideLast && i === names.length - 1 ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
    )
    .join('')}</sheets>${printTitlesXml(names, headingRows)}</workbook>`

const contentTypesXml = (sheets: number): string =>
  `${xmlDeclaration}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${sheetMediaType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetMediaType}.styles+xml"/>` +
  `${Array.from({ length: sheets }, (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${sheetMediaType}.worksheet+xml"/>`).join('')}</Types>`
