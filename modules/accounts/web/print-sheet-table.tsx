import type { ReactNode } from 'react'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import type { PrintPart } from '../domain/print-settings.ts'
import { arrangeByParts } from '../domain/print-layout.ts'
import type { PrintColumn, PrintContent, PrintPaper } from './print-sheet.tsx'

export type PageSlice = readonly [from: number, to: number]

export type LabelOf = (fact: { readonly part?: PrintPart; readonly label: string }) => string

export interface SheetPartProps {
  readonly setting: PrintPaper
  readonly content: PrintContent
  readonly labelOf: LabelOf
}

interface SheetTableProps extends SheetPartProps {
  readonly slice: PageSlice
  readonly columnWidths: readonly number[]
  /** The total is under the rows of the last page, a subtotal under those of every one of several. */
  readonly isLast: boolean
  readonly isOnlyPage: boolean
}

/** The columns that the template asks for, with the rows of one page. */
export function SheetTable({
  setting,
  content,
  labelOf,
  slice: [from, to],
  columnWidths,
  isLast,
  isOnlyPage,
}: SheetTableProps) {
  const { columns = [], rows = [], total, subtotalOf } = content
  const numbered = columns.map((column, index) => ({ ...column, index }))
  const shown = arrangeByParts(numbered, setting.parts ?? [])
  if (!shown.length) return null
  const classOf = ({ right }: PrintColumn): string | undefined => (right ? 'right' : undefined)
  const drawCells = (row: readonly ReactNode[]): ReactNode =>
    shown.map(column => (
      <td key={column.index} className={classOf(column)}>
        {row[column.index]}
      </td>
    ))
  // 合计 is under the first column, whichever that is.
  const drawSums = ([label, ...sums]: readonly ReactNode[]): ReactNode => {
    const sumsByColumn: readonly ReactNode[] = ['', ...sums]
    const labelColumn = shown.find(column => !sumsByColumn[column.index])?.index
    return <tr>{drawCells(sumsByColumn.map((sum, i) => (i === labelColumn ? label : sum)))}</tr>
  }
  const subtotal = isOnlyPage ? undefined : subtotalOf?.(from, to)
  return (
    <table className={columnWidths.length ? 'fixed' : undefined}>
      {columnWidths.length > 0 && (
        <colgroup>
          {columnWidths.map((width, n) => (
            <col key={n} style={{ width: `${width * 100}%` }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr>
          {shown.map(column => (
            <th key={column.index} className={classOf(column)}>
              {labelOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(from, to).map((row, n) => (
          <tr key={n}>{drawCells(row)}</tr>
        ))}
      </tbody>
      {(subtotal || (isLast && total)) && (
        <tfoot>
          {subtotal && drawSums(subtotal)}
          {isLast && total && drawSums(total)}
        </tfoot>
      )}
    </table>
  )
}

const isBlank = (cell: ReactNode): boolean => !cell || cell === emptyPlaceholder

interface RollTableProps extends SheetPartProps {
  readonly slice: PageSlice
}

/**
 * On a roll six columns would be one letter wide: each row has its first word and its sum on a line, and the
 * rest under them.
 */
export function RollTable(props: RollTableProps) {
  const {
    setting,
    content,
    labelOf,
    slice: [from, to],
  } = props
  const { columns = [], rows = [], total } = content
  const shown = arrangeByParts(
    columns.map((column, index) => ({ ...column, index })),
    setting.parts ?? [],
  )
  const sum = shown.find(column => column.part === 'amount') ?? shown.findLast(column => column.right)
  const name = shown.find(column => !column.right)
  if (!sum || !name) return <SheetTable {...props} columnWidths={[]} isLast isOnlyPage />
  const details = shown.filter(column => column !== sum && column !== name)
  return (
    <table>
      <thead>
        <tr>
          <th>{labelOf(name)}</th>
          <th className="right">{labelOf(sum)}</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(from, to).map((row, index) => (
          <tr key={index}>
            <td>
              {row[name.index]}
              <small>
                {details
                  .filter(column => !isBlank(row[column.index]))
                  .map(column => (
                    <span key={column.index}>
                      {column.right && `${labelOf(column)} `}
                      {row[column.index]}
                    </span>
                  ))}
              </small>
            </td>
            <td className="right">{row[sum.index]}</td>
          </tr>
        ))}
      </tbody>
      {total && (
        <tfoot>
          <tr>
            <td>{total[0]}</td>
            <td className="right">{total[sum.index]}</td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}
