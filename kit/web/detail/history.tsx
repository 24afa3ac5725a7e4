import { useQuery } from '@tanstack/react-query'
import type { Field, Fields } from '#kit/contract/field.ts'
import { show } from '#kit/contract/value.ts'
import { textOf } from '../columns.tsx'
import { Skeleton, State, Trouble } from '../list/states.tsx'

/** One change of a record: who, when, what; before and after as the server's audit keeps them, in memory's form. */
export interface Change { readonly id: number; readonly at: string; readonly by: string; readonly action: string; readonly reason?: string | undefined; readonly before?: Readonly<Record<string, unknown>> | undefined; readonly after?: Readonly<Record<string, unknown>> | undefined }
export type HistorySource = (entity: string, id: number) => Promise<readonly Change[]>
let source: HistorySource | undefined
/** Who knows what was changed; said once at start. */
export const linkHistory = (s: HistorySource): void => { source = s }

const actions: Readonly<Record<string, string>> = { insert: '新增', update: '修改', delete: '删除', restore: '恢复', purge: '彻底删除' }
const said = (f: Field, v: unknown): string => (v === undefined || v === null ? show(undefined, f) : textOf(f, v))
/** Keys whose words differ, those of the form only: stamps say nothing to people. */
export const changedKeys = (c: Change, fields: Fields): string[] =>
  c.before && c.after ? Object.keys(fields).filter(k => !['id', 'version', 'createTime', 'updateTime'].includes(k) && !fields[k]!.through && JSON.stringify(c.before![k] ?? null) !== JSON.stringify(c.after![k] ?? null)) : []

/** 变更: newest first, before → after. */
export function History({ entity, id, fields }: { readonly entity: string; readonly id: number; readonly fields: Fields }) {
  const q = useQuery({ queryKey: ['history', entity, id], queryFn: () => source!(entity, id), enabled: source !== undefined, meta: { entities: [entity] }, staleTime: 0 })
  if (!source) return <State words="变更记录暂不可用" />
  if (q.isPending) return <div style={{ position: 'relative', height: 200 }}><Skeleton rows={4} /></div>
  if (q.isError) return <Trouble error={q.error} retry={() => void q.refetch()} />
  if (!q.data.length) return <State words="还没有变更记录" />
  return (
    <ol className="history">
      {q.data.map(c => (
        <li key={c.id}>
          <time>{c.at.slice(0, 16)}</time><span className="ellipsis" title={c.by}>{c.by}</span><span>{actions[c.action] ?? c.action}{c.reason && `：${c.reason}`}</span>
          {c.before && c.after && <ul>{changedKeys(c, fields).map(k => <li key={k}>{fields[k]!.label}：<del>{said(fields[k]!, c.before![k])}</del> → {said(fields[k]!, c.after![k])}</li>)}</ul>}
        </li>
      ))}
    </ol>
  )
}
