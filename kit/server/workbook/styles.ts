import type { OutputColumn } from './column.ts'
import { xmlDeclaration, escapeXml, mainNamespace } from './sheet-xml.ts'

/** Numbers of cell styles. All are known before the first row, so that styles cost nothing per cell. */
export interface Styles {
  heading(c: OutputColumn): number
  /** Figures and empty cells. */
  body(c: OutputColumn): number
  text(c: OutputColumn): number
  /** The first line of the head. */
  readonly title: number
  xml(): string
}

const plainHeadingStyle = 1
const requiredHeadingStyle = 2
const textStyle = 3
const firstFormatStyle = 4

/** The styles of all columns: bold headings (red where required), text, and one for each number format. */
export function buildStyles(columns: readonly OutputColumn[]): Styles {
  const formats = [...new Set(columns.flatMap(c => (c.format && c.format !== '@' ? [c.format] : [])))]
  const body = (c: OutputColumn) =>
    c.format === '@' ? textStyle : c.format ? firstFormatStyle + formats.indexOf(c.format) : 0
  return {
    heading: c => (c.required ? requiredHeadingStyle : plainHeadingStyle),
    body,
    text: () => textStyle,
    title: firstFormatStyle + formats.length,
    xml: () =>
      `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}">` +
      (formats.length
        ? `<numFmts count="${formats.length}">${formats.map((f, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escapeXml(f)}"/>`).join('')}</numFmts>`
        : '') +
      `<fonts count="4">${fontXml('')}${fontXml('<b/>')}${fontXml('<b/>', 'FFC00000')}${fontXml('<b/>', 'FF000000', 14)}</fonts>` +
      '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF2F4F7"/><bgColor indexed="64"/></patternFill></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${firstFormatStyle + formats.length + 1}">${xfXml(0, 0, 0)}${xfXml(49, 1, 2)}${xfXml(49, 2, 2)}${xfXml(49, 0, 0)}` +
      `${formats.map((_, i) => xfXml(164 + i, 0, 0)).join('')}${titleXf}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  }
}

/** The third font, centred over what it is merged across. */
const titleXf =
  '<xf numFmtId="49" fontId="3" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="center" vertical="center"/></xf>'

const fontXml = (before: string, colour = 'FF000000', size = 11): string =>
  `<font>${before}<sz val="${size}"/><color rgb="${colour}"/><name val="等线"/><family val="2"/></font>`

const xfXml = (format: number, fontId: number, fill: number): string =>
  `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`
