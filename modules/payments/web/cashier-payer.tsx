import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { usePermission } from '#kit/web/session.ts'
import { payMethod } from '../contract/choices.ts'
import { menu } from '../module.ts'
import type { CashierView } from './cashier.tsx'
import type { ChosenSource } from './cashier-search.tsx'
import { cashierExtensions } from './cashier-extensions.ts'
import { useReceipts } from './use-receipts.tsx'

interface Props {
  readonly project: string
  readonly view: CashierView
  readonly onOpen: (c: ChosenSource) => void
  readonly onRefresh: () => void
}

/**
 * Who pays, for what, what lies in prestore, what was paid last; what else he may pay here; his other objects
 * one click away.
 */
export function CashierPayer({ project, view: d, onOpen, onRefresh }: Props) {
  const hasPermission = usePermission()
  const receipts = useReceipts()
  const [at, setAt] = useState<string>()
  const acts = cashierExtensions
    .useAll()
    .filter(a => hasPermission(a.needs) && a.isApplicable(d))
    .toSorted((a, b) => a.shortcut.length - b.shortcut.length || (a.shortcut < b.shortcut ? -1 : 1))
  const open = acts.find(a => a.key === at)
  useShortcuts(
    acts.map(a => ({
      keys: a.shortcut,
      label: a.label,
      whileTyping: true,
      run: () => setAt(was => was ?? a.key),
    })),
  )
  const paid = (ids: readonly number[]): void => {
    setAt(undefined)
    onRefresh()
    if (ids.length && hasPermission(menu.record.permissions.print)) {
      receipts.open(ids)
    }
  }
  const facts: readonly (readonly [string, string])[] = [
    ['对象', d.sourceName],
    ...(d.area ? [['计费面积', `${d.area} ㎡`] as const] : []),
    ...d.prestore.map(
      (p, i) =>
        [
          i ? '' : '预存余额',
          `${displayYuan(p.amount, true)} ${p.itemId ? `${p.name}专用` : '通用'}`,
        ] as const,
    ),
    ...(d.prestore.length ? [] : [['预存余额', '--'] as const]),
    [
      '上次缴费',
      d.lastPayTime
        ? `${d.lastPayTime.slice(0, 10)} ${labelOf(payMethod, d.lastPayMethod ?? 'other')} ${displayYuan(d.lastPayAmount ?? 0, true)}`
        : '--',
    ],
  ]
  return (
    <section className="cashier-card cashier-person">
      <header>
        <i aria-hidden>{(d.payerName ?? d.sourceName).slice(0, 1)}</i>
        <div>
          <h2>
            {d.payerName ?? '未登记缴费人'} <small>{d.relation ?? ''}</small>
          </h2>
          <p className="figure">{d.payerMobile ?? '没有手机号'}</p>
        </div>
      </header>
      <dl>
        {facts.map(([k, v], n) => (
          <div key={`${k}${n}`}>
            <dt>{k}</dt>
            <dd className="figure">{v}</dd>
          </div>
        ))}
      </dl>
      {d.promise && <p className="cashier-promise">承诺 {d.promise} 前缴清</p>}
      {acts.length > 0 && (
        <div className="cashier-acts">
          {acts.map(a => (
            <button type="button" key={a.key} onClick={() => setAt(a.key)}>
              {a.label}
              <kbd>{a.shortcut}</kbd>
            </button>
          ))}
        </div>
      )}
      {d.others.length > 0 && (
        <div className="cashier-others">
          <h3>同一缴费人还有</h3>
          {d.others.map(o => (
            <button type="button" key={`${o.sourceType}/${o.sourceCode}`} onClick={() => onOpen(o)}>
              <span>{o.sourceName}</span>
              <em className="figure">
                {o.count} 笔 {displayYuan(o.unpaid)}
              </em>
            </button>
          ))}
        </div>
      )}
      {open && <open.Component project={project} view={d} onClose={() => setAt(undefined)} onPaid={paid} />}
      {receipts.dialog}
    </section>
  )
}
