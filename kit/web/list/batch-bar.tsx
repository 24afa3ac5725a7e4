import { CloseOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { Needs } from '#kit/contract/call.ts'
import { formatCount } from '../numbers.tsx'
import { usePermission } from '../session.ts'
import { MoreActions, ActionButton, type Action } from '../action.tsx'
import { maxSelected, type SelectedRows } from './selection.ts'

/**
 * An action on selected rows. With `acceptsAllMatching` it gets 选择全部 as filter, expected count and sum
 * (BILL-1); without, the ids are fetched, 2,000 at most.
 */
export interface BatchAction<T, I = any> {
  readonly label: string
  readonly needs?: Needs | undefined
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly acceptsAllMatching?: boolean
  readonly disabledReason?: (t: SelectedRows<T, I>) => string | undefined
  /** Answering true (or a promise of it) means that the rows are done: the selection is cleared. */
  readonly run: (t: SelectedRows<T, I>) => unknown
}

interface BatchBarProps<T, I> {
  readonly batch: readonly BatchAction<T, I>[]
  readonly selected: SelectedRows<T, I>
  /** Of all that the filter finds, once it is known. */
  readonly total: number | undefined
  readonly width: number
  readonly onSelectAll: (() => void) | undefined
  readonly onClear: () => void
  readonly fetchSelected: () => Promise<SelectedRows<T, I>>
}

/** Takes the place of the toolbar while rows are selected, so that nothing below moves. */
export function BatchBar<T, I>({
  batch,
  selected,
  total,
  width,
  onSelectAll,
  onClear,
  fetchSelected,
}: BatchBarProps<T, I>) {
  const hasPermission = usePermission()
  const isAllMatching = selected.allMatching !== undefined
  const allowedActions = batch
    .filter(batchAction => hasPermission(batchAction.needs))
    .map((batchAction): Action => {
      const tooMany =
        isAllMatching && !batchAction.acceptsAllMatching && selected.count > maxSelected
          ? `一次最多处理 ${formatCount(maxSelected)} 条，请缩小筛选范围`
          : undefined
      return {
        label: batchAction.label,
        icon: batchAction.icon,
        danger: batchAction.danger ?? false,
        disabledReason: tooMany ?? batchAction.disabledReason?.(selected),
        run: async () => {
          if (
            (await batchAction.run(
              isAllMatching && !batchAction.acceptsAllMatching ? await fetchSelected() : selected,
            )) === true
          ) {
            onClear()
          }
        },
      }
    })
  const safe = allowedActions.filter(action => !action.danger)
  const danger = allowedActions.filter(action => action.danger)
  const maxButtons = width >= 1000 ? 5 : width >= 800 ? 4 : 3
  return (
    <div className="toolbar batch" role="toolbar" aria-label="批量操作">
      <button type="button" className="plain" aria-label="取消勾选" title="取消勾选 Esc" onClick={onClear}>
        <CloseOutlined />
      </button>
      <b aria-live="polite">
        已选 {formatCount(selected.count)} 条{isAllMatching && '（全部）'}
      </b>
      {!isAllMatching && onSelectAll && total !== undefined && total > selected.count && (
        <button type="button" className="linkish" onClick={onSelectAll}>
          选择全部 {formatCount(total)} 条
        </button>
      )}
      <span className="gap" />
      {safe.slice(0, maxButtons).map((v, i) => (
        <ActionButton key={v.label} action={v} primary={i === 0} small />
      ))}
      <MoreActions actions={safe.slice(maxButtons)} />
      <span className="spring" />
      {danger.slice(0, 1).map(v => (
        <ActionButton key={v.label} action={v} small />
      ))}
      <MoreActions actions={danger.slice(1)} />
    </div>
  )
}
