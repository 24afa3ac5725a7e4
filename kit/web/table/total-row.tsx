import type { Layout } from './column-layout.ts'
import type { TotalLine } from './table-types.ts'

/** One line of totals; its label spans the columns before the first figure. */
export function TotalRow<T>({
  total,
  layout,
  hasSelection,
  hasActions,
  bottom,
}: {
  readonly total: TotalLine
  readonly layout: Layout<T>
  readonly hasSelection: boolean
  readonly hasActions: boolean
  readonly bottom: number
}) {
  const firstFigure = layout.columns.findIndex(c => total.cells[c.column.key] !== undefined)
  const labelColumns = firstFigure < 0 ? layout.columns.length : firstFigure
  const skipped = labelColumns + (labelColumns === 0 && !hasSelection ? 1 : 0)
  return (
    <tr className={total.highlighted ? 'on' : ''}>
      <td colSpan={Math.max(1, labelColumns + (hasSelection ? 1 : 0))} className="words" style={{ bottom }}>
        <span>{total.label}</span>
      </td>
      {layout.columns.slice(skipped).map(({ column }) => (
        <td key={column.key} className={`right${column.strong ? ' strong' : ''}`} style={{ bottom }}>
          {total.cells[column.key]}
        </td>
      ))}
      {hasActions && <td className="actions" style={{ bottom }} />}
    </tr>
  )
}
