import { useQuery } from '@tanstack/react-query'
import { blank } from '#kit/contract/text.ts'
import { historySource } from '../changes.ts'
import { Skeleton, State, Trouble } from '../list/states.tsx'

/** 变更: newest first, before → after. */
export function History({ entity, id }: { readonly entity: string; readonly id: number }) {
  const source = historySource()
  const q = useQuery({
    queryKey: ['history', entity, id],
    queryFn: () => source!(entity, id),
    enabled: source !== undefined,
    meta: { entities: [entity] },
    staleTime: 0,
  })
  if (!source) return <State words="变更记录暂不可用" />
  if (q.isPending)
    return (
      <div style={{ position: 'relative', height: 200 }}>
        <Skeleton rows={4} />
      </div>
    )
  if (q.isError) return <Trouble error={q.error} retry={() => void q.refetch()} />
  if (!q.data.length) return <State words="还没有变更记录" />
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
          {c.changes.some(x => x.before && x.before !== blank) && (
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
