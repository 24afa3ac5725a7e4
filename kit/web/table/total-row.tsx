import { measureText } from '../cell-renderers.tsx'
import { cellPadding, type Layout } from './column-layout.ts'
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

/** The size in px at which a late figure fits into its column; undefined where it does as it is. */
export function fittingSize(text: string, width: number): number | undefined {
  const needed = measureText(text, true)
  const available = width - cellPadding
  return needed > available ? Math.floor((14 * available * 10) / needed) / 10 : undefined
}

function LateFigure({
  text,
  width,
  pendingWidth,
}: {
  readonly text: string | undefined
  readonly width: number
  readonly pendingWidth: number | undefined
}) {
  if (pendingWidth !== undefined) return <i className="pending" style={{ inlineSize: pendingWidth }} />
  return text ? <span style={{ fontSize: fittingSize(text, width) }}>{text}</span> : null
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
    <tr className={total.highlighted ? 'on' : ''} aria-busy={total.pendingWidths ? true : undefined}>
      <td
        colSpan={Math.max(1, labelColumns + (hasSelection ? 1 : 0))}
        className="words"
        style={{ bottom }}
        title={typeof total.label === 'string' ? total.label : undefined}
      >
        <span>{total.label}</span>
      </td>
      {layout.columns.slice(skipped).map(({ column, left, width }) => (
        <td
          key={column.key}
          className={`right${column.strong ? ' strong' : ''}${left === undefined ? '' : ' stuck'}`}
          style={{ bottom, left }}
        >
          {total.isLate ? (
            <LateFigure
              text={total.cells[column.key]}
              width={width}
              pendingWidth={total.pendingWidths?.[column.key]}
            />
          ) : (
            total.cells[column.key]
          )}
        </td>
      ))}
      {hasActions && <td className="actions stuck" style={{ bottom }} />}
    </tr>
  )
}
