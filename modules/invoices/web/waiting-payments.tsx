import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { addDays } from '#kit/domain/day.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { today } from '#kit/web/date-format.ts'
import { recordPath } from '#modules/payments/web/public.actions.ts'
import { listWaitingPayments } from '../contract/invoicing.ts'
import { menu } from '../module.ts'
import { invoicePath } from './paths.ts'

const InvoicingDialog = lazyComponent(() => import('./invoicing-dialog.tsx').then(m => m.InvoicingDialog))
type WaitingPayment = NonNullable<typeof listWaitingPayments.output.T>['rows'][number]
const payerText = (r: WaitingPayment): string => r.payerName ?? r.sourceName

// The server keeps the order of payments: no column sorts.
const listColumns = buildColumns(listWaitingPayments.output, [
  { key: 'recordNo', identity: true },
  { key: 'receiptNo', hidePriority: 1 },
  { key: 'sourceName', width: 120, grow: 1 },
  { key: 'payerName', width: 110, grow: 1 },
  { key: 'recordType', hidePriority: 1 },
  { key: 'payMethod', hidePriority: 2 },
  'receivedAmount',
  { key: 'refundedAmount', hidePriority: 2 },
  { key: 'invoicedAmount', hidePriority: 1 },
  { key: 'openAmount', strong: true },
  'payTime',
]).map(withoutSorting)

/**
 * 待开票: payments of which something may still be invoiced (INV-1); `?open=` opens the dialog for some of them.
 */
export default function WaitingPage() {
  const [at, setAt] = useSearchParams()
  const asked = at.get('open')
  const [open, setOpen] = useState<{
    readonly records: readonly string[]
    readonly original?: number | undefined
  }>()
  const day = today()
  useEffect(() => {
    if (!asked) return
    setOpen({
      records: asked
        .split(',')
        .filter(x => /^\d+$/.test(x))
        .slice(0, 50),
      original: Number(at.get('original')) || undefined,
    })
    setAt(
      now => {
        now.delete('open')
        now.delete('original')
        return now
      },
      { replace: true },
    )
  }, [asked, at, setAt])
  const views = useMemo(
    () => [
      { id: '', name: '近 90 天', filter: { payDayFrom: addDays(day, -89), payDayTo: day } },
      { id: 'today', name: '今天', filter: { payDayFrom: day, payDayTo: day } },
      { id: 'month', name: '近 30 天', filter: { payDayFrom: addDays(day, -29), payDayTo: day } },
      { id: '*', name: '全部', filter: {} },
    ],
    [day],
  )
  const many = (list: readonly WaitingPayment[]): string | undefined =>
    list.length > 50
      ? '一次最多选 50 笔收款'
      : new Set(list.map(payerText)).size > 1
        ? '一张发票只能开给一位缴费人，请只选同一位的收款'
        : undefined
  return (
    <>
      <ListPage
        list={listWaitingPayments}
        itemName="待开票收款"
        keywordPlaceholder="流水号/收据号/缴费对象/缴费人"
        columns={listColumns}
        filters={['payDay', 'recordType', 'payMethod', 'buildCode']}
        barFilters={['payDay', 'payMethod', 'recordType']}
        views={views}
        rowActions={r => [
          {
            label: '开票',
            needs: menu.invoice.permissions.open,
            run: () => setOpen({ records: [String(r.id)] }),
          },
          { label: '查看收款', run: () => navigateTo(recordPath(r.id)) },
        ]}
        batchActions={[
          {
            label: '合并开票',
            needs: menu.invoice.permissions.open,
            disabledReason: t => many(t.rows),
            run: t => setOpen({ records: t.ids.map(String) }),
          },
        ]}
        drawer={{ title: r => r.receiptNo ?? r.recordNo, openAsPage: r => navigateTo(recordPath(r.id)) }}
      />
      {open && (
        <InvoicingDialog
          key={open.records.join()}
          records={open.records}
          original={open.original}
          onClose={() => setOpen(undefined)}
          onDone={r => {
            setOpen(undefined)
            navigateTo(invoicePath(r.id))
          }}
        />
      )}
    </>
  )
}
