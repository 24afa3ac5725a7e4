import { memo, type ReactNode } from 'react'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import type { Column } from '../columns.tsx'
import { cellPadding, type Layout } from './column-layout.ts'

interface RowProps<T> {
  readonly row: T
  readonly index: number
  readonly layout: Layout<T>
  readonly selected: boolean | undefined
  readonly disabledReason: string | undefined
  readonly current: boolean
  readonly opened: boolean
  readonly dim: boolean
  readonly struck: boolean
  readonly link: boolean
  readonly actions: ((row: T, index: number) => ReactNode) | undefined
}

const isBlank = (body: ReactNode): boolean =>
  body === emptyPlaceholder || body === '' || body === null || body === undefined

/** A function, not a component: a list draws a thousand cells. */
function drawCell<T>(column: Column<T>, row: T, link: boolean, width: number): ReactNode {
  const body = column.render(row, width - cellPadding)
  if (column.identity && link)
    return (
      <button type="button" className="identity" tabIndex={-1} data-open="">
        {body}
      </button>
    )
  return isBlank(body) ? <span className="blank">{emptyPlaceholder}</span> : body
}

/** What a reader of the screen hears of a checkbox: which record it selects. */
function selectLabel<T>({ columns }: Layout<T>, row: T, index: number): string {
  const name = columns.find(({ column }) => column.identity)?.column.text(row)
  return name && name !== emptyPlaceholder ? `选择「${name}」` : `选择第 ${index + 1} 行`
}

/** Memoised with stable props, so that selecting one row redraws one row. */
export const TableRow = memo(function Row<T>({
  row,
  index,
  layout,
  selected,
  disabledReason,
  current,
  opened,
  dim,
  struck,
  link,
  actions,
}: RowProps<T>) {
  return (
    <tr
      data-i={index}
      aria-selected={selected}
      className={`${selected ? 'on ' : ''}${current ? 'current ' : ''}${opened ? 'opened ' : ''}${dim || struck ? 'void ' : ''}${struck ? 'struck' : ''}`}
    >
      {selected !== undefined && (
        <td className="tick stuck" title={disabledReason}>
          {disabledReason === undefined && (
            <input
              type="checkbox"
              checked={selected}
              readOnly
              tabIndex={-1}
              aria-label={selectLabel(layout, row, index)}
            />
          )}
        </td>
      )}
      {layout.columns.map(({ column, left, width }) => {
        const text = column.fitContent ? undefined : column.text(row)
        return (
          <td
            key={column.key}
            className={`${column.align === 'right' ? 'right ' : ''}${left !== undefined ? 'stuck ' : ''}${column.strong ? 'strong ' : ''}${column.fitContent ? 'fit' : ''}`}
            style={left === undefined ? undefined : { left }}
            title={text && text !== emptyPlaceholder ? text : undefined}
          >
            {drawCell(column, row, link, width)}
          </td>
        )
      })}
      {actions && <td className="actions stuck">{actions(row, index)}</td>}
    </tr>
  )
}) as <T>(p: RowProps<T>) => ReactNode
