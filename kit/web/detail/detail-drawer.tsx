import { useEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { Call } from '#kit/contract/call.ts'
import type { Fields } from '#kit/contract/field.ts'
import { Skeleton, Trouble } from '../list/states.tsx'
import { count } from '../figure.tsx'
import { Icon } from '../icons.tsx'
import { useCall } from '../query.ts'
import { Tabbed } from '../tabbed.tsx'
import { FootVerbs, type Verb, type Verbs } from '../verb.tsx'
import { DetailPanel, type Group } from './detail-panel.tsx'
import { History } from './history.tsx'

export interface DrawerSpec<T> {
  readonly title: (row: T) => ReactNode
  readonly status?: (row: T) => ReactNode
  /** 640; 880 when it holds a table. */
  readonly width?: 640 | 880
  /** Under the head: the equation of a money object, key figures. */
  readonly above?: (row: T) => ReactNode
  readonly groups?: readonly Group<T>[]
  /** Fetches the whole record where the list's rows are short. */
  readonly one?: Call<{ readonly id: number }, T>
  /** Under the groups, in the first tab. */
  readonly more?: (row: T) => ReactNode
  readonly tabs?: readonly {
    readonly key: string
    readonly label: (row: T) => string
    readonly body: (row: T) => ReactNode
  }[]
  /** Shows 变更, what was changed by whom. The entity's name. */
  readonly history?: string
  /** Foot; those of the row otherwise. */
  readonly verbs?: (row: T) => Verbs
  /** Alt Enter: opens the record as a page of its own. */
  readonly page?: (row: T) => void
}

interface Props<T> {
  readonly spec: DrawerSpec<T>
  readonly row: T
  readonly fields: Fields
  readonly entity: string | undefined
  readonly verbs: readonly Verb[]
  readonly at: number
  readonly total: number
  readonly onStep: (n: 1 | -1) => void
  readonly onClose: () => void
}

function Whole<T>({
  spec,
  row,
  fields,
}: {
  readonly spec: DrawerSpec<T>
  readonly row: T
  readonly fields: Fields
}) {
  const one = spec.one!
  const q = useCall(one, { id: (row as { id: number }).id }, { quiet: true })
  if (q.isPending)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <Skeleton rows={6} width={[80, 200, 80, 160]} />
      </div>
    )
  if (q.isError) return <Trouble error={q.error} retry={() => void q.refetch()} />
  return (
    <Body spec={spec} row={q.data} fields={{ ...fields, ...one.output.fields }} entity={one.output.entity} />
  )
}

const Body = <T,>({
  spec,
  row,
  fields,
  entity,
}: {
  readonly spec: DrawerSpec<T>
  readonly row: T
  readonly fields: Fields
  readonly entity: string | undefined
}) => (
  <>
    <DetailPanel of={fields} row={row} groups={spec.groups} entity={entity} />
    {spec.more?.(row)}
  </>
)

/** A record beside its list, which stays live: no mask, ‹ › and J K walk on. */
export function DetailDrawer<T>({ spec, row, fields, entity, verbs, at, total, onStep, onClose }: Props<T>) {
  const own = useRef<HTMLElement>(null)
  const width = innerWidth < 1100 ? '100vw' : (spec.width ?? 640)
  // The list keeps the keyboard; only what stands in the way of it is moved.
  useEffect(() => {
    const from = document.activeElement as HTMLElement | null
    return () => (from?.isConnected ? from.focus({ preventScroll: true }) : undefined)
  }, [])
  const first = spec.one ? (
    <Whole key={String((row as { id?: unknown }).id)} spec={spec} row={row} fields={fields} />
  ) : (
    <Body spec={spec} row={row} fields={fields} entity={spec.history ?? entity} />
  )
  const tabs = [
    ...(spec.tabs ?? []).map(t => ({ key: t.key, label: t.label(row), children: t.body(row) })),
    ...(spec.history
      ? [
          {
            key: 'history',
            label: '变更',
            children: <History entity={spec.history} id={(row as { id: number }).id} />,
          },
        ]
      : []),
  ]
  return createPortal(
    <aside
      ref={own}
      className="detail-drawer"
      role="dialog"
      aria-modal={false}
      aria-label="详情"
      style={{ width }}
      tabIndex={-1}
    >
      <header>
        <h2 className="ellipsis">{spec.title(row)}</h2>
        {spec.status?.(row)}
        <span className="spring" />
        <span className="place">
          {count(at)} / {count(total)}
        </span>
        <button
          type="button"
          className="step"
          aria-label="上一条"
          title="上一条 K"
          disabled={at <= 1}
          onClick={() => onStep(-1)}
        >
          <Icon name="left" size={14} />
        </button>
        <button
          type="button"
          className="step"
          aria-label="下一条"
          title="下一条 J"
          disabled={at >= total}
          onClick={() => onStep(1)}
        >
          <Icon name="right" size={14} />
        </button>
        <button type="button" className="plain" aria-label="关闭" title="关闭 Esc" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {spec.above && <div className="above">{spec.above(row)}</div>}
      <div className="body">
        {tabs.length ? <Tabbed items={[{ key: 'main', label: '详情', children: first }, ...tabs]} /> : first}
      </div>
      {verbs.length > 0 && (
        <footer>
          <FootVerbs verbs={verbs} />
        </footer>
      )}
    </aside>,
    document.body,
  )
}

/** 应收 − 减免 − 已缴 + 违约金 = 未缴: `parts` carry the sign before them. */
export function Equation({
  parts,
  sum,
}: {
  readonly parts: readonly { readonly sign?: '−' | '+'; readonly label: string; readonly value: string }[]
  readonly sum: { readonly label: string; readonly value: string; readonly bad?: boolean }
}) {
  return (
    <div className="equation">
      {parts.flatMap(p => [
        p.sign && <i key={`${p.label}-`}>{p.sign}</i>,
        <div key={p.label}>
          <span>{p.label}</span>
          <b>{p.value}</b>
        </div>,
      ])}
      <i>=</i>
      <div className="sum">
        <span>{sum.label}</span>
        <b style={sum.bad ? { color: 'var(--bad)' } : undefined}>{sum.value}</b>
      </div>
    </div>
  )
}
