import type { Id } from '#kit/domain/id.ts'
import { useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { today } from '#kit/web/date-format.ts'
import { listRecords, type PayRecord } from '../contract/record.ts'
import { refundRequestRefusal } from '../domain/refund.ts'
import { listedVoidRefusal } from '../domain/void.ts'
import { menu } from '../module.ts'
import { describeMethod, formatMethods } from './format-methods.ts'
import { useReceipts } from './use-receipts.tsx'
import { voidPayment } from './record-actions.tsx'

const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx').then(m => m.RefundDialog))

/** One method by its name, several with what each brought. */
const describeMethods = (record: PayRecord): string =>
  record.methods.length > 1 ? `组合：${formatMethods(record)}` : describeMethod(record)

/** What is paid by a channel is refunded, not voided; the rest says why it cannot be voided now. */
const isVoidOffered = (record: PayRecord): boolean =>
  record.state === 'normal' && record.recordType === 'payment' && record.payOrderId === undefined

/** The last six this cashier took today, with 补打, 退款 and 作废. */
export function CashierRecent({ project }: { readonly project: string }) {
  const me = useSession(s => s.signed?.manager.id)
  const hasPermission = usePermission()
  const day = today()
  const print = useReceipts()
  const [refunding, setRefunding] = useState<Id>()
  const recent = useCall(
    listRecords,
    {
      projectCode: project,
      ...(me ? { cashierId: [String(me)] } : {}),
      payDayFrom: day,
      payDayTo: day,
      recordType: ['payment', 'prestore', 'deposit'],
      size: 6,
    },
    { quiet: true, keepPrevious: true, staleMs: 0 },
  )
  const list = recent.data?.rows ?? []
  return (
    <section className="cashier-card cashier-recent scroll" aria-label="刚刚办理">
      <h2>刚刚办理</h2>
      {recent.isError ? (
        <p className="cashier-none" role="alert">
          收款记录加载失败，
          <button type="button" className="linkish" onClick={() => void recent.refetch()}>
            重试
          </button>
        </p>
      ) : (
        recent.isSuccess && !list.length && <p className="cashier-none">今天暂无收款</p>
      )}
      {list.map(record => (
        <div key={record.id} data-off={record.state === 'voided' || undefined}>
          <p>
            <b>
              {record.sourceName} {record.payerName ?? ''}
            </b>
            <span className="figure">{displayYuan(record.receivedAmount)}</span>
          </p>
          <p>
            <small>
              {record.payTime.slice(11, 16)} · {record.recordType === 'deposit' ? '押金 · ' : ''}
              {describeMethods(record)}
              {record.state === 'voided' ? ' · 已作废' : ''}
              {record.refundingAmount > 0 ? ' · 退款中' : ''}
            </small>
            <span>
              {hasPermission(menu.record.permissions.print) && (
                <button type="button" className="plain" onClick={() => print.open([record.id])}>
                  补打
                </button>
              )}
              {hasPermission(menu.refund.permissions.apply) &&
                record.recordType === 'payment' &&
                refundRequestRefusal(record) === undefined && (
                  <button type="button" className="plain" onClick={() => setRefunding(record.id)}>
                    退款
                  </button>
                )}
              {hasPermission(menu.record.permissions.void) && isVoidOffered(record) && (
                <button
                  type="button"
                  className="plain"
                  disabled={listedVoidRefusal(record, day) !== undefined}
                  title={listedVoidRefusal(record, day)}
                  onClick={() => void voidPayment(record)}
                >
                  作废
                </button>
              )}
            </span>
          </p>
        </div>
      ))}
      {print.dialog}
      {refunding !== undefined && (
        <RefundDialog of={{ id: refunding }} onClose={() => setRefunding(undefined)} />
      )}
    </section>
  )
}
