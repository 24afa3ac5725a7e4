import { focusedElement } from '../focused-element.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { Call } from '#kit/contract/call.ts'
import type { Fields } from '#kit/contract/field.ts'
import { RowSkeleton, ErrorState } from '../list/list-feedback.tsx'
import { formatCount } from '../numbers.tsx'
import { Icon } from '../icons.tsx'
import { useCall } from '../query.ts'
import { LazyTabs } from '../lazy-tabs.tsx'
import { FooterActions, type Action, type Actions } from '../action.tsx'
import { DetailPanel, type DetailGroup } from './detail-panel.tsx'
import { History } from './history.tsx'

export interface DrawerSpec<T> {
  readonly title: (row: T) => ReactNode
  readonly status?: (row: T) => ReactNode
  /** 640; 880 when it holds a table. */
  readonly width?: 640 | 880
  /** Under the header: the equation of a money object, key figures. */
  readonly summary?: (row: T) => ReactNode
  readonly groups?: readonly DetailGroup<T>[]
  /** Fetches the full record where the list's rows hold only part of it. */
  readonly loadCall?: Call<{ readonly id: Id }, T>
  /** Under the groups, in the first tab. */
  readonly afterGroups?: (row: T) => ReactNode
  readonly tabs?: readonly {
    readonly key: string
    readonly label: (row: T) => string
    readonly body: (row: T) => ReactNode
  }[]
  /** Shows 变更, who changed what. The entity's name. */
  readonly historyEntity?: string
  /** Actions in the footer; without it those of the row. */
  readonly actions?: (row: T) => Actions
  /** Alt Enter: opens the record as a page of its own. */
  readonly openAsPage?: (row: T) => void
}

interface DetailDrawerProps<T> {
  readonly spec: DrawerSpec<T>
  readonly row: T
  readonly fields: Fields
  readonly entity: string | undefined
  readonly actions: readonly Action[]
  readonly position: number
  /** Undefined while it is being counted; `isLast` then tells whether another record may follow. */
  readonly total: number | undefined
  readonly isLast: boolean
  readonly onStep: (n: 1 | -1) => void
  readonly onClose: () => void
}

function LoadedBody<T>({
  spec,
  row,
  fields,
}: {
  readonly spec: DrawerSpec<T>
  readonly row: T
  readonly fields: Fields
}) {
  const loadCall = defined(spec.loadCall)
  const query = useCall(loadCall, { id: (row as { id: Id }).id }, { quiet: true })
  if (query.isPending)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} width={[80, 200, 80, 160]} />
      </div>
    )
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <DrawerBody
      spec={spec}
      row={query.data}
      fields={{ ...fields, ...loadCall.output.fields }}
      entity={spec.historyEntity ?? loadCall.output.entity}
    />
  )
}

const DrawerBody = <T,>({
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
    <DetailPanel fields={fields} row={row} groups={spec.groups} entity={entity} />
    {spec.afterGroups?.(row)}
  </>
)

/** A record beside its list, which stays usable: no mask, ‹ › and J K go to the next record. */
export function DetailDrawer<T>({
  spec,
  row,
  fields,
  entity,
  actions,
  position,
  total,
  isLast,
  onStep,
  onClose,
}: DetailDrawerProps<T>) {
  const drawerRef = useRef<HTMLElement>(null)
  const width = innerWidth < 1100 ? '100vw' : (spec.width ?? 640)
  // The list keeps the keyboard focus; it is given back when the drawer closes.
  useEffect(() => {
    const previousFocus = focusedElement()
    return () => (previousFocus?.isConnected ? previousFocus.focus({ preventScroll: true }) : undefined)
  }, [])
  const mainBody = spec.loadCall ? (
    <LoadedBody key={String((row as { id?: unknown }).id)} spec={spec} row={row} fields={fields} />
  ) : (
    <DrawerBody spec={spec} row={row} fields={fields} entity={spec.historyEntity ?? entity} />
  )
  const tabs = [
    ...(spec.tabs ?? []).map(t => ({ key: t.key, label: t.label(row), children: t.body(row) })),
    ...(spec.historyEntity
      ? [
          {
            key: 'history',
            label: '变更',
            children: <History entity={spec.historyEntity} id={(row as { id: Id }).id} />,
          },
        ]
      : []),
  ]
  return createPortal(
    <aside
      ref={drawerRef}
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
          {formatCount(position)} / {total === undefined ? '…' : formatCount(total)}
        </span>
        <button
          type="button"
          className="step"
          aria-label="上一条"
          title="上一条 K"
          disabled={position <= 1}
          onClick={() => onStep(-1)}
        >
          <Icon name="left" size={14} />
        </button>
        <button
          type="button"
          className="step"
          aria-label="下一条"
          title="下一条 J"
          disabled={total === undefined ? isLast : position >= total}
          onClick={() => onStep(1)}
        >
          <Icon name="right" size={14} />
        </button>
        <button type="button" className="plain" aria-label="关闭" title="关闭 Esc" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {spec.summary && <div className="above">{spec.summary(row)}</div>}
      <div className="body">
        {tabs.length ? (
          <LazyTabs items={[{ key: 'main', label: '详情', children: mainBody }, ...tabs]} />
        ) : (
          mainBody
        )}
      </div>
      {actions.length > 0 && (
        <footer>
          <FooterActions actions={actions} />
        </footer>
      )}
    </aside>,
    document.body,
  )
}

/** 原始金额 − 减免 − 已收本金 + 未收违约金 = 未缴: each part carries the sign before it. */
export function Equation({
  parts,
  sum,
}: {
  readonly parts: readonly { readonly sign?: '−' | '+'; readonly label: string; readonly value: string }[]
  readonly sum: { readonly label: string; readonly value: string; readonly bad?: boolean }
}) {
  return (
    <div className="equation">
      {parts.flatMap(part => [
        part.sign && <i key={`${part.label}-`}>{part.sign}</i>,
        <div key={part.label}>
          <span>{part.label}</span>
          <b>{part.value}</b>
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
