import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useQuery } from '@tanstack/react-query'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { getHistorySource } from '../change-history.ts'
import { RowSkeleton, StateMessage, ErrorState } from '../list/list-feedback.tsx'

/** 变更: newest first, before → after. */
export function History({ entity, id }: { readonly entity: string; readonly id: Id }) {
  const source = getHistorySource()
  const query = useQuery({
    queryKey: ['history', entity, id],
    queryFn: () => defined(source)(entity, id),
    enabled: source !== undefined,
    meta: { entities: [entity] },
    staleTime: 0,
  })
  if (!source) return <StateMessage text="变更记录暂不可用" />
  if (query.isPending)
    return (
      <div style={{ position: 'relative', height: 200 }}>
        <RowSkeleton rows={4} />
      </div>
    )
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data.length) return <StateMessage text="暂无变更记录" />
  return (
    <ol className="history">
      {query.data.map((entry, i) => (
        <li key={i}>
          <time>{entry.at.slice(0, 16)}</time>
          <span className="ellipsis" title={entry.by}>
            {entry.by}
          </span>
          <span>
            {entry.action}
            {entry.reason && `：${entry.reason}`}
          </span>
          {entry.changes.some(change => change.before && change.before !== emptyPlaceholder) && (
            <ul>
              {entry.changes.map(change => (
                <li key={change.field}>
                  {change.field}：<del>{change.before}</del> → {change.after}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}
