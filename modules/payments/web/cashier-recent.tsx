import { labelOf } from '#kit/contract/field.ts'
import { subtractFen } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { today } from '#kit/web/date-format.ts'
import { payMethod } from '../contract/choices.ts'
import { listRecords } from '../contract/record.ts'
import { menu } from '../module.ts'
import { useReceipts } from './use-receipts.tsx'
import { voidPayment } from './record-actions.tsx'

/** The last six this cashier took today, with 补打 and 作废. */
export function CashierRecent({ project }: { readonly project: string }) {
  const me = useSession(s => s.signed?.manager.id)
  const hasPermission = usePermission()
  const day = today()
  const print = useReceipts()
  const list =
    useCall(
      listRecords,
      {
        projectCode: project,
        ...(me ? { cashierId: [String(me)] } : {}),
        payDayFrom: day,
        payDayTo: day,
        recordType: ['payment', 'prestore'],
        size: 6,
      } as never,
      { quiet: true, keepPrevious: true, staleMs: 0 },
    ).data?.rows ?? []
  return (
    <section className="cashier-card cashier-recent scroll" aria-label="刚刚办理">
      <h2>刚刚办理</h2>
      {!list.length && <p className="cashier-none">今天还没有收款</p>}
      {list.map(r => (
        <div key={r.id} data-off={r.state === 'voided' || undefined}>
          <p>
            <b>
              {r.sourceName} {r.payerName ?? ''}
            </b>
            <span className="figure">{displayYuan(subtractFen(r.receivedAmount, r.changeAmount))}</span>
          </p>
          <p>
            <small>
              {r.payTime.slice(11, 16)} · {labelOf(payMethod, r.payMethod)}
              {r.state === 'voided' ? ' · 已作废' : ''}
            </small>
            <span>
              {hasPermission(menu.record.permissions.print) && (
                <button type="button" className="plain" onClick={() => print.open([r.id])}>
                  补打
                </button>
              )}
              {hasPermission(menu.record.permissions.void) &&
                r.state === 'normal' &&
                r.recordType === 'payment' &&
                r.payOrderId === undefined && (
                  <button type="button" className="plain" onClick={() => void voidPayment(r)}>
                    作废
                  </button>
                )}
            </span>
          </p>
        </div>
      ))}
      {print.dialog}
    </section>
  )
}
