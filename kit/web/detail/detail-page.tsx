import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Call } from '#kit/contract/call.ts'
import { Skeleton, Trouble } from '../list/states.tsx'
import { useCall } from '../query.ts'
import { useTabName } from '../tab.ts'
import { Tabbed } from '../tabbed.tsx'
import { FootVerbs, useVerbs, type Verbs } from '../verb.tsx'
import { DetailPanel, type Group } from './detail-panel.tsx'
import { History } from './history.tsx'
import './detail.css'

interface Props<T> {
  /** Asked with the `id` of the address, or the one given from a step of its path. */
  readonly one: Call<{ readonly id: number }, T>
  readonly id?: number
  readonly title: (row: T) => string
  readonly status?: (row: T) => ReactNode
  readonly groups?: readonly Group<T>[]
  readonly tabs?: readonly {
    readonly key: string
    readonly label: string
    readonly body: (row: T) => ReactNode
  }[]
  /** Shows 变更; the entity's name. */
  readonly history?: string
  readonly verbs?: (row: T) => Verbs
  readonly below?: ReactNode
  /** Under the groups, in the first tab. */
  readonly more?: (row: T) => ReactNode
}

/**
 * One record as a page of its own: a bar with name, state and verbs, then what the fields say (screens.md
 * §5).
 */
export function DetailPage<T extends { readonly id: number }>({
  one,
  title,
  status,
  groups,
  tabs = [],
  history,
  verbs,
  below,
  id: given,
  more,
}: Props<T>) {
  const [at] = useSearchParams()
  const id = given ?? (Number(at.get('id')) || 0)
  const verbsFor = useVerbs()
  const q = useCall(one, { id }, { quiet: true, enabled: id > 0 })
  const row = q.data
  useTabName(row && title(row))
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要查看的记录编号')} retry={() => location.reload()} />
  if (q.isError) return <Trouble error={q.error} retry={() => void q.refetch()} />
  if (!row) return <Skeleton rows={8} width={[80, 200, 80, 160]} />
  const main = (
    <>
      <DetailPanel of={one.output.fields} row={row} groups={groups} entity={history} />
      {more?.(row)}
    </>
  )
  const all = [
    ...tabs.map(t => ({ key: t.key, label: t.label, children: t.body(row) })),
    ...(history
      ? [{ key: 'history', label: '变更', children: <History entity={history} id={row.id} /> }]
      : []),
  ]
  return (
    <div className="detail-page">
      <header>
        <h2>{title(row)}</h2>
        {status?.(row)}
        <span className="spring" />
        <FootVerbs verbs={verbsFor(verbs?.(row) ?? [])} />
      </header>
      <div className="scroll">
        {all.length ? <Tabbed items={[{ key: 'main', label: '详情', children: main }, ...all]} /> : main}
      </div>
      {below}
    </div>
  )
}
