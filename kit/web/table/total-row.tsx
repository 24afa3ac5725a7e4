import type { Layout } from './column-layout.ts'
import type { TotalLine } from './table-types.ts'

/**
 * How many columns the label of a line of totals spans: those before the first figure; where the table
 * scrolls sideways the fixed ones alone, as everything else moves with its column.
 */
export function labelColumnsOf<T>(
  { columns, overflows }: Pick<Layout<T>, 'columns' | 'overflows'>,
  cells: TotalLine['cells'],
): number {
  const firstFigure = columns.findIndex(c => cells[c.column.key] !== undefined)
  const beforeFigures = firstFigure < 0 ? columns.length : firstFigure
  const fixed = columns.filter(c => c.left !== undefined).length
  return overflows ? Math.min(beforeFigures, fixed) : beforeFigures
}

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
  const labelColumns = labelColumnsOf(layout, total.cells)
  const skipped = labelColumns + (labelColumns === 0 && !hasSelection ? 1 : 0)
  return (
    <tr className={total.highlighted ? 'on' : ''}>
      <td
        colSpan={Math.max(1, labelColumns + (hasSelection ? 1 : 0))}
        className="words"
        style={{ bottom }}
        title={typeof total.label === 'string' ? total.label : undefined}
      >
        <span>{total.label}</span>
      </td>
      {layout.columns.slice(skipped).map(({ column, left }) => (
        <td
          key={column.key}
          className={`right${column.strong ? ' strong' : ''}${left === undefined ? '' : ' stuck'}`}
          style={{ bottom, left }}
        >
          {total.cells[column.key]}
        </td>
      ))}
      {hasActions && <td className="actions stuck" style={{ bottom }} />}
    </tr>
  )
}
