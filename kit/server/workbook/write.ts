import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { columnName } from './sheet.ts'
import type { Column, Rows } from './column.ts'
import { declaration, escaped, fitsInline, main, sheetXml } from './sheet-xml.ts'
import { stylesOf } from './styles.ts'
import { zipped, type Packing } from './zip-file.ts'

/** The type of the files written here. */
export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface SheetToWrite {
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: Rows
}

export interface Written {
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
  columns: readonly Column[],
  rows: Rows,
  out: Writable,
  { sheetName = '数据' }: { readonly sheetName?: string } = {},
): Promise<Written> => writeSheets([{ name: sheetName, columns, rows }], out)

/** The same with several sheets, one after the other; names are made fit for Excel and for each other. */
export async function writeSheets(sheets: readonly SheetToWrite[], out: Writable): Promise<Written> {
  const lists = longLists(sheets.flatMap(s => s.columns))
  const all: (SheetToWrite & { hidden?: boolean })[] = lists.sheet ? [...sheets, lists.sheet] : [...sheets]
  const names = fitNames(all.map(s => s.name))
  const styles = stylesOf(sheets.flatMap(s => s.columns))
  const written = { rows: 0, bytes: 0 }
  const at = lists.sheet ? `'${names.at(-1)!.replaceAll("'", "''")}'!` : ''
  const counted = (n: number) => void (written.rows += n)
  const parts: Packing[] = [
    part('[Content_Types].xml', contentTypes(all.length)),
    part('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])),
    part('xl/workbook.xml', book(names, lists.sheet !== undefined)),
    part(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...all.map((_, i): [string, string] => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
        ['styles', 'styles.xml'],
      ]),
    ),
    part('xl/styles.xml', styles.xml()),
    ...all.map((s, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      chunks: sheetXml(
        s.columns,
        s.rows,
        styles,
        c => escaped(at + lists.place(c)),
        s === lists.sheet ? () => undefined : counted,
      ),
    })),
  ]
  await pipeline(
    zipped(parts),
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

/** Lists too long for a rule stand side by side on one hidden sheet. */
function longLists(columns: readonly Column[]): {
  sheet: SheetToWrite | undefined
  place(c: Column): string
} {
  const lists = [
    ...new Set(columns.flatMap(c => (c.options?.length && !fitsInline(c.options) ? [c.options] : []))),
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
      const column = columnName(lists.indexOf(c.options!))
      return `$${column}$2:$${column}$${c.options!.length + 1}`
    },
  }
}

/** Excel forbids some signs, more than 31 letters, and two names that differ in case alone. */
function fitNames(names: readonly string[]): string[] {
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

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const part = (name: string, xml: string): Packing => ({ name, chunks: [Buffer.from(xml)] })

const relations = (links: readonly (readonly [type: string, target: string])[]): string =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${links.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`

const book = (names: readonly string[], hideLast: boolean): string =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
    .map(
      (name, i) =>
        `<sheet name="${escaped(name)}" sheetId="${i + 1}"${hideLast && i === names.length - 1 ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
    )
    .join('')}</sheets></workbook>`

const contentTypes = (sheets: number): string =>
  `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>` +
  `${Array.from({ length: sheets }, (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${sheetType}.worksheet+xml"/>`).join('')}</Types>`
