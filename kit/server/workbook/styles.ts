import type { Column } from './column.ts'
import { declaration, escaped, main } from './sheet-xml.ts'

/** Numbers of cell styles. All are known before the first row, so that styles cost nothing per cell. */
export interface Styles {
  heading(c: Column): number
  /** Figures and empty cells. */
  body(c: Column): number
  text(c: Column): number
  xml(): string
}

const plainHead = 1
const requiredHead = 2
const asText = 3
const firstOwn = 4

/** The styles of all columns: bold headings (red where required), text, and one for each number format. */
export function stylesOf(columns: readonly Column[]): Styles {
  const formats = [...new Set(columns.flatMap(c => (c.format && c.format !== '@' ? [c.format] : [])))]
  const body = (c: Column) =>
    c.format === '@' ? asText : c.format ? firstOwn + formats.indexOf(c.format) : 0
  return {
    heading: c => (c.required ? requiredHead : plainHead),
    body,
    text: () => asText,
    xml: () =>
      `${declaration}<styleSheet xmlns="${main}">` +
      (formats.length
        ? `<numFmts count="${formats.length}">${formats.map((f, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escaped(f)}"/>`).join('')}</numFmts>`
        : '') +
      `<fonts count="3">${font('')}${font('<b/>')}${font('<b/>', 'FFC00000')}</fonts>` +
      '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF2F4F7"/><bgColor indexed="64"/></patternFill></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${firstOwn + formats.length}">${xf(0, 0, 0)}${xf(49, 1, 2)}${xf(49, 2, 2)}${xf(49, 0, 0)}${formats.map((_, i) => xf(164 + i, 0, 0)).join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  }
}

const font = (before: string, colour = 'FF000000'): string =>
  `<font>${before}<sz val="11"/><color rgb="${colour}"/><name val="等线"/><family val="2"/></font>`

const xf = (format: number, fontId: number, fill: number): string =>
  `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`
