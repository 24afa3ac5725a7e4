import { useQuery } from '@tanstack/react-query'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { getHistorySource } from '../change-history.ts'
import { RowSkeleton, StateMessage, ErrorState } from '../list/list-states.tsx'

/** 变更: newest first, before → after. */
export function History({ entity, id }: { readonly entity: string; readonly id: number }) {
  const source = getHistorySource()
  const q = useQuery({
    queryKey: ['history', entity, id],
    queryFn: () => source!(entity, id),
    enabled: source !== undefined,
    meta: { entities: [entity] },
    staleTime: 0,
  })
  if (!source) return <StateMessage text="变更记录暂不可用" />
  if (q.isPending)
    return (
      <div style={{ position: 'relative', height: 200 }}>
        <RowSkeleton rows={4} />
      </div>
    )
  if (q.isError) return <ErrorState error={q.error} onRetry={() => void q.refetch()} />
  if (!q.data.length) return <StateMessage text="还没有变更记录" />
  return (
    <ol className="history">
      {q.data.map((c, i) => (
        <li key={i}>
          <time>{c.at.slice(0, 16)}</time>
          <span className="ellipsis" title={c.by}>
            {c.by}
          </span>
          <span>
            {c.action}
            {c.reason && `：${c.reason}`}
          </span>
          {c.changes.some(x => x.before && x.before !== emptyPlaceholder) && (
            <ul>
              {c.changes.map(x => (
                <li key={x.field}>
                  {x.field}：<del>{x.before}</del> → {x.after}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}
