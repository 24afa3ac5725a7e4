import { parseId, type Id } from '#kit/domain/id.ts'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { addDays } from '#kit/domain/day.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { today } from '#kit/web/date-format.ts'
import { describeMethod, formatMethods } from '#modules/payments/web/public.methods.ts'
import { recordPath } from '#modules/payments/web/public.ts'
import { listWaitingPayments } from '../contract/invoicing.ts'
import { menu } from '../module.ts'
import { invoicePath } from './paths.ts'

const InvoicingDialog = lazyComponent(() => import('./invoicing-dialog.tsx').then(m => m.InvoicingDialog))
type WaitingPayment = NonNullable<typeof listWaitingPayments.output.T>['rows'][number]
const payerText = ({ payerName, sourceName }: WaitingPayment): string => payerName ?? sourceName

// The server keeps the order of payments: no column sorts.
const listColumns = buildColumns(listWaitingPayments.output, [
  { key: 'recordNo', identity: true, fitContent: true },
  { key: 'receiptNo', hidePriority: 1 },
  { key: 'sourceName', width: 120, grow: 1 },
  { key: 'payerName', width: 84, grow: 1 },
  { key: 'recordType', hidePriority: 1 },
  { key: 'payMethod', hidePriority: 2, render: describeMethod, text: formatMethods },
  'receivedAmount',
  { key: 'refundedAmount', hidePriority: 2 },
  { key: 'invoicedAmount', hidePriority: 1 },
  { key: 'openAmount', strong: true },
  'payTime',
]).map(withoutSorting)

/** 待开票: payments that may still be invoiced (INV-1); `?open=` opens the dialog for the ids it lists. */
export default function WaitingPage() {
  const [address, setAddress] = useSearchParams()
  const requested = address.get('open')
  const [dialog, setDialog] = useState<{
    readonly records: readonly string[]
    readonly original?: Id | undefined
  }>()
  const day = today()
  useEffect(() => {
    if (!requested) return
    setDialog({
      records: requested
        .split(',')
        .filter(id => /^\d+$/.test(id))
        .slice(0, 50),
      original: parseId(address.get('original')) || undefined,
    })
    setAddress(
      current => {
        current.delete('open')
        current.delete('original')
        return current
      },
      { replace: true },
    )
  }, [requested, address, setAddress])
  const views = useMemo(
    () => [
      { id: '', name: '近 90 天', filter: { payDayFrom: addDays(day, -89), payDayTo: day } },
      { id: 'today', name: '今天', filter: { payDayFrom: day, payDayTo: day } },
      { id: 'month', name: '近 30 天', filter: { payDayFrom: addDays(day, -29), payDayTo: day } },
      { id: '*', name: '全部', filter: {} },
    ],
    [day],
  )
  const batchRefusal = (payments: readonly WaitingPayment[]): string | undefined =>
    payments.length > 50
      ? '一次最多选 50 笔收款'
      : new Set(payments.map(payerText)).size > 1
        ? '一张发票只能开给一位缴费人，请只选同一位的收款'
        : undefined
  return (
    <>
      <ListPage
        list={listWaitingPayments}
        itemName="待开票收款"
        keywordPlaceholder="流水号/收据号/收费对象/缴费人"
        columns={listColumns}
        filters={['payDay', 'recordType', 'payMethod', 'buildCode']}
        barFilters={['payDay', 'payMethod', 'recordType']}
        views={views}
        rowActions={payment => [
          {
            label: '开票',
            needs: menu.invoice.permissions.open,
            run: () => setDialog({ records: [String(payment.id)] }),
          },
          { label: '查看收款', run: () => navigateTo(recordPath(payment.id)) },
        ]}
        batchActions={[
          {
            label: '合并开票',
            needs: menu.invoice.permissions.open,
            disabledReason: selection => batchRefusal(selection.rows),
            run: selection => setDialog({ records: selection.ids.map(String) }),
          },
        ]}
        drawer={{ title: r => r.receiptNo ?? r.recordNo, openAsPage: r => navigateTo(recordPath(r.id)) }}
      />
      {dialog && (
        <InvoicingDialog
          key={dialog.records.join()}
          records={dialog.records}
          original={dialog.original}
          onClose={() => setDialog(undefined)}
          onDone={invoice => {
            setDialog(undefined)
            navigateTo(invoicePath(invoice.id))
          }}
        />
      )}
    </>
  )
}
