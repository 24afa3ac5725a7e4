import { defined } from '#kit/domain/defined.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { columnName } from './worksheet.ts'
import {
  formatFlag,
  headingText,
  columnWidth,
  type CellValue,
  type OutputColumn,
  type Row,
  type RowBatches,
} from './column.ts'
import type { Styles } from './styles.ts'

/** Excel's own bound. */
export const maxRows = 1_048_576

/** How far down drop-downs and notes reach when there are fewer rows: an import's most. */
const lastValidatedRow = sheetLimits.rows + 1
const chunkLength = 64 * 1024

export const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

interface WorksheetContent {
  readonly columns: readonly OutputColumn[]
  readonly rows: RowBatches
  readonly head?: readonly string[]
  readonly totals?: Row | undefined
}

/** The line that the headings are in, under the lines of the head. */
export const headingRowOf = ({ head = [] }: Pick<WorksheetContent, 'head'>): number => head.length + 1

/** A landscape page of A4, as wide as the columns are, over as many pages as there are rows. */
const pageSetupXml =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;C第 &amp;P 页，共 &amp;N 页</oddFooter></headerFooter>'

/** The lines above the headings; the first is the title, higher than the others. */
function headLinesXml(head: readonly string[], styles: Styles): string {
  return head
    .map((words, i) => {
      const [height, style] = i === 0 ? [' ht="24" customHeight="1"', ` s="${styles.title}"`] : ['', '']
      const cell = `<c r="A${i + 1}"${style} t="inlineStr"><is><t>${escapeXml(words)}</t></is></c>`
      return `<row r="${i + 1}"${height}>${cell}</row>`
    })
    .join('')
}

/** The title spans all columns; a single cell cannot be merged. */
const titleRangeXml = (lastColumn: string): string =>
  lastColumn === 'A' ? '' : `<mergeCells count="1"><mergeCell ref="A1:${lastColumn}1"/></mergeCells>`

/**
 * One worksheet as XML, in chunks. `counted` is called with the number of rows; `listOf` gives where a
 * column's long list stands.
 */
export async function* writeSheetXml(
  { columns, rows, head = [], totals }: WorksheetContent,
  styles: Styles,
  listOf: (c: OutputColumn) => string,
  counted: (n: number) => void,
): AsyncGenerator<Buffer> {
  const line = createLineWriter(columns, styles)
  const widths = columns
    .map(
      (c, i) =>
        `<col min="${i + 1}" max="${i + 1}" width="${columnWidth(c)}" style="${styles.body(c)}" customWidth="1"/>`,
    )
    .join('')
  const headingRow = headingRowOf({ head })
  const lastColumn = columnName(Math.max(0, columns.length - 1))
  const headLines = headLinesXml(head, styles)
  const headings = columns
    .map(
      (c, i) =>
        `<c r="${columnName(i)}${headingRow}" s="${styles.heading(c)}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(headingText(c))}</t></is></c>`,
    )
    .join('')
  let text =
    `${xmlDeclaration}<worksheet xmlns="${mainNamespace}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="${headingRow}" topLeftCell="A${headingRow + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/>${widths && `<cols>${widths}</cols>`}<sheetData>${headLines}<row r="${headingRow}">${headings}</row>`
  let at = headingRow
  let empty = columns.map((_, i) => i)
  for await (const batch of rows) {
    for (const row of batch) {
      if (empty.length) {
        empty = empty.filter(i => isEmptyCell(row[i]))
      }
      if (++at > maxRows) throw new RangeError(`a worksheet holds at most ${maxRows - 1} rows`)
      text += line(row, at)
      if (text.length >= chunkLength) {
        yield Buffer.from(text)
        text = ''
      }
    }
  }
  counted(at - headingRow)
  if (totals) {
    // Nothing is added up under a column of empty cells.
    text += line(
      totals.map((cell, i) => (typeof cell === 'number' && empty.includes(i) ? undefined : cell)),
      ++at,
    )
  }
  const last = lastColumn + at
  // Without the last part Excel puts a green corner on every phone number.
  yield Buffer.from(
    `${text}</sheetData>${head.length ? titleRangeXml(lastColumn) : ''}${validationsXml(columns, headingRow + 1, Math.max(at, lastValidatedRow), listOf)}${pageSetupXml}<ignoredErrors><ignoredError sqref="A1:${last}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
  )
}

const isEmptyCell = (v: CellValue): v is null | undefined | '' => v === null || v === undefined || v === ''

function createLineWriter(
  columns: readonly OutputColumn[],
  styles: Styles,
): (row: Row, at: number) => string {
  const start = columns.map((_, i) => `<c r="${columnName(i)}`)
  const asNumber = columns.map(c => `" s="${styles.body(c)}"><v>`)
  const asText = columns.map(c => `" s="${styles.text(c)}" t="inlineStr"><is><t>`)
  const asSpaced = columns.map(c => `" s="${styles.text(c)}" t="inlineStr"><is><t xml:space="preserve">`)
  return (row, at) => {
    let cells = ''
    for (let i = 0; i < start.length; i++) {
      let values = row[i]
      if (isEmptyCell(values)) continue
      if (typeof values === 'number') {
        if (Number.isFinite(values)) {
          cells += defined(start[i]) + at + asNumber[i] + values + '</v></c>'
        }
        continue
      }
      if (typeof values === 'boolean') {
        values = formatFlag(values)
      }
      cells +=
        needsEscaping.test(values) || values.length > maxTextLength
          ? defined(start[i]) + at + asSpaced[i] + escapeXml(values) + '</t></is></c>'
          : defined(start[i]) + at + asText[i] + values + '</t></is></c>'
    }
    return `<row r="${at}">${cells}</row>`
  }
}

/** Excel refuses a file with a longer text. */
const maxTextLength = 32_767
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const needsEscaping = /[&<>"\x00-\x1f\ud800-\udfff\ufffe\uffff]|_x|^ | $/

/**
 * XML cannot hold most control characters; Excel writes them `_x0001_`, and so a text that looks like that is
 * escaped itself.
 */
export function escapeXml(text: string): string {
  if (text.length > maxTextLength) {
    text = text.slice(0, maxTextLength - 1) + '…'
  }
  if (!needsEscaping.test(text)) return text
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/\r\n?/g, '\n')
    .replace(
      // oxlint-disable-next-line no-control-regex -- finds the characters that XML cannot hold
      /[&<>"\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
      c => xmlEntities[c] ?? `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
}

const xmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * A list up to 255 characters without commas is in the rule itself; a longer one on a hidden sheet
 * (`listOf`).
 */
export const canInlineOptions = (options: readonly string[]): boolean =>
  options.join(',').length <= 255 && !options.some(o => /[,"]/.test(o))

function validationsXml(
  columns: readonly OutputColumn[],
  first: number,
  last: number,
  listOf: (c: OutputColumn) => string,
): string {
  const rules = columns.flatMap((column, i) => {
    const options = column.options?.length ? column.options : undefined
    if (options === undefined && !column.note) return []
    const prompt = column.note
      ? ` showInputMessage="1" promptTitle="${attributeXml(column.heading, 32)}" prompt="${attributeXml(column.note, 255)}"`
      : ''
    const range = ` sqref="${columnName(i)}${first}:${columnName(i)}${last}"`
    if (options === undefined) return [`<dataValidation allowBlank="1"${prompt}${range}/>`]
    const source = canInlineOptions(options) ? escapeXml(`"${options.join(',')}"`) : listOf(column)
    const [style, error] = column.suggestsOnly
      ? (['errorStyle="warning" ', '下拉列表中没有，确认填写新的名称'] as const)
      : (['', '请从下拉列表中选择'] as const)
    return [
      `<dataValidation type="list" ${style}allowBlank="1" showErrorMessage="1" errorTitle="${attributeXml(column.heading, 32)}" error="${error}"${prompt}${range}><formula1>${source}</formula1></dataValidation>`,
    ]
  })
  return rules.length ? `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>` : ''
}

/** Excel calls a file broken whose titles or prompts are longer. */
const attributeXml = (text: string, maxLength: number): string =>
  escapeXml(text.length > maxLength ? text.slice(0, maxLength - 1) + '…' : text).replaceAll('\n', '&#10;')
