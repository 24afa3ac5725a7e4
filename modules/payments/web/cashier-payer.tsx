import type { Id } from '#kit/domain/id.ts'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { MaskedValue } from '#kit/web/masked-value.tsx'
import { send } from '#kit/web/send.ts'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { usePermission } from '#kit/web/session.ts'
import { payMethod } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { cashierExtensions, type CashierView } from './cashier-extensions.ts'
import type { ChosenSource } from './cashier-search.tsx'
import { focusBillsAfterDialog } from './focus-bills.ts'
import { revealPayerMobile } from '../contract/cashier.ts'
import { useReceipts } from './use-receipts.tsx'

interface Props {
  readonly project: string
  readonly view: CashierView
  readonly onOpen: (c: ChosenSource) => void
  readonly onRefresh: () => void
}

/**
 * Who pays, for what, what is in prestore, what was paid last; what else can be paid here; the payer's other
 * objects one click away.
 */
export function CashierPayer({ project, view, onOpen, onRefresh }: Props) {
  const hasPermission = usePermission()
  const receipts = useReceipts()
  const [openKey, setOpenKey] = useState<string>()
  const actions = cashierExtensions
    .useAll()
    .filter(a => hasPermission(a.needs) && a.isApplicable(view))
    .toSorted((a, b) => a.shortcut.length - b.shortcut.length || (a.shortcut < b.shortcut ? -1 : 1))
  const openAction = actions.find(a => a.key === openKey)
  useShortcuts(
    actions.map(action => ({
      keys: action.shortcut,
      label: action.label,
      whileTyping: true,
      run: () => setOpenKey(before => before ?? action.key),
    })),
  )
  const close = (): void => {
    setOpenKey(undefined)
    focusBillsAfterDialog()
  }
  const paid = (ids: readonly Id[]): void => {
    close()
    onRefresh()
    if (ids.length && hasPermission(menu.record.permissions.print)) {
      receipts.open(ids)
    }
  }
  const { sourceType, sourceCode } = view
  const canReveal = view.payerId !== undefined && hasPermission(revealPayerMobile.needs)
  const revealMobile = canReveal
    ? () => send(revealPayerMobile, { projectCode: project, sourceType, sourceCode })
    : undefined
  const facts: readonly (readonly [string, string])[] = [
    ['收费对象', view.sourceName],
    ...(view.area ? [['计费面积', `${Number(view.area).toFixed(2)} ㎡`] as const] : []),
    ...view.prestore.map(
      (p, i) =>
        [
          i ? '' : '预存余额',
          `${displayYuanWithSymbol(p.amount)} ${p.itemId ? `${p.name}专用` : '通用'}`,
        ] as const,
    ),
    ...(view.prestore.length ? [] : [['预存余额', '--'] as const]),
    [
      '上次缴费',
      view.lastPayTime
        ? `${view.lastPayTime.slice(0, 10)} ${displayYuanWithSymbol(view.lastPayAmount ?? 0)} ${view.lastPayMixed ? '组合支付' : labelOf(payMethod, view.lastPayMethod ?? 'other')}`
        : '--',
    ],
  ]
  return (
    <section className="cashier-card cashier-person">
      <header>
        <i aria-hidden>{(view.payerName ?? view.sourceName).slice(0, 1)}</i>
        <div>
          <h2>
            {view.payerName ?? '未登记缴费人'} <small>{view.relation ?? ''}</small>
          </h2>
          <p className="figure">
            {view.payerMobile ? (
              <MaskedValue value={view.payerMobile} reveal={revealMobile} />
            ) : (
              '未登记手机号'
            )}
          </p>
        </div>
      </header>
      <dl>
        {facts.map(([label, value], index) => (
          <div key={`${label}${index}`}>
            <dt>{label}</dt>
            <dd className="figure">{value}</dd>
          </div>
        ))}
      </dl>
      {view.promise && <p className="cashier-promise">承诺 {view.promise} 前缴清</p>}
      {actions.length > 0 && (
        <div className="cashier-actions">
          {actions.map(action => (
            <button type="button" key={action.key} onClick={() => setOpenKey(action.key)}>
              {action.label}
              <kbd>{action.shortcut}</kbd>
            </button>
          ))}
        </div>
      )}
      {view.others.length > 0 && (
        <div className="cashier-others">
          <h3>同一缴费人还有</h3>
          {view.others.map(other => (
            <button
              type="button"
              key={`${other.sourceType}/${other.sourceCode}`}
              onClick={() => onOpen(other)}
            >
              <span>{other.sourceName}</span>
              <em className="figure">
                {other.count} 笔 {displayYuan(other.unpaid)}
              </em>
            </button>
          ))}
        </div>
      )}
      {openAction && <openAction.Component project={project} view={view} onClose={close} onPaid={paid} />}
      {receipts.dialog}
    </section>
  )
}
