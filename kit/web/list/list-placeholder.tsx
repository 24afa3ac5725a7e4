import type { Action } from '../action.tsx'
import { ErrorState, RowSkeleton, StateMessage } from './list-feedback.tsx'
import type { useList } from './use-list.ts'

const maxSkeletonRows = 24

/** Beyond the last page, which is shown as soon as it is known which one that is. */
function BeyondEnd({
  list,
}: {
  readonly list: Pick<ReturnType<typeof useList>, 'isCounting' | 'actions' | 'size'>
}) {
  if (list.isCounting) return <RowSkeleton rows={Math.min(list.size, maxSkeletonRows)} />
  return (
    <StateMessage
      text="本页无记录"
      actions={[{ label: '回到第 1 页', run: () => list.actions.goToPage(1, list.size) }]}
    />
  )
}

/** What is in the place of rows: loading, an error, or one of three kinds of empty. Nothing with rows. */
export function listPlaceholder<I, T>(
  list: ReturnType<typeof useList<I, T>>,
  itemName: string,
  primary: Action | undefined,
  onImport: (() => void) | undefined,
) {
  const { answer, page, rows, total, view } = list
  if (answer.isPending) return <RowSkeleton rows={Math.min(list.size, maxSkeletonRows)} />
  if (!page) return <ErrorState error={answer.error} onRetry={list.reload} />
  if (list.comesInParts && !rows.length && list.state.page > 1 && !answer.isPlaceholderData)
    return <BeyondEnd list={list} />
  if (rows.length || total !== 0) return false
  // The conditions of a view are nobody's own filter: there is nothing to clear.
  if (!list.hasNoConditions && list.isChanged)
    return (
      <StateMessage
        text="无符合条件的记录"
        actions={[{ label: '清除筛选', run: list.actions.clearConditions }]}
      />
    )
  const emptyText = list.hasNoConditions ? `暂无${itemName}` : `暂无${view.name}的${itemName}`
  // Why nothing can be added now takes the place of the button.
  const reason = primary?.disabledReason
  return (
    <StateMessage
      text={[emptyText, reason].filter(Boolean).join('；')}
      actions={[
        primary && reason === undefined && { label: primary.label, run: () => void primary.run() },
        onImport && { label: `导入${itemName}`, run: onImport },
      ]}
    />
  )
}
