import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { addDays } from '#kit/domain/day.ts'
import { columns } from '#kit/web/columns.tsx'
import { go } from '#kit/web/go.ts'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { today } from '#kit/web/when.ts'
import { seeRecord } from '#modules/payments/web/public.acts.ts'
import { listWaiting } from '../contract/open.ts'
import { menu } from '../module.ts'
import { seeInvoice } from './places.ts'

const OpenDialog = later(() => import('./open-dialog.tsx').then(m => m.OpenDialog))
type Waiting = NonNullable<typeof listWaiting.output.T>['rows'][number]
const payer = (r: Waiting): string => r.payerName ?? r.sourceName

// The server keeps the order of payments: no column sorts.
const shown = columns(listWaiting.output, [
  { key: 'recordNo', identity: true },
  { key: 'receiptNo', drop: 1 },
  { key: 'sourceName', width: 120, grow: 1 },
  { key: 'payerName', width: 110, grow: 1 },
  { key: 'recordType', drop: 1 },
  { key: 'payMethod', drop: 2 },
  'receivedAmount',
  { key: 'refundedAmount', drop: 2 },
  { key: 'invoicedAmount', drop: 1 },
  { key: 'openAmount', strong: true },
  'payTime',
]).map(c => ({ ...c, sort: undefined }))

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
  const many = (list: readonly Waiting[]): string | undefined =>
    list.length > 50
      ? '一次最多选 50 笔收款'
      : new Set(list.map(payer)).size > 1
        ? '一张发票只能开给一位缴费人，请只选同一位的收款'
        : undefined
  return (
    <>
      <ListPage
        list={listWaiting}
        what="待开票收款"
        sought="流水号/收据号/缴费对象/缴费人"
        columns={shown}
        filters={['payDay', 'recordType', 'payMethod', 'buildCode']}
        bar={['payDay', 'payMethod', 'recordType']}
        views={views}
        row={r => [
          { label: '开票', may: menu.invoice.may.open, run: () => setOpen({ records: [String(r.id)] }) },
          { label: '查看收款', run: () => go(seeRecord(r.id)) },
        ]}
        batch={[
          {
            label: '合并开票',
            may: menu.invoice.may.open,
            why: t => many(t.rows),
            run: t => setOpen({ records: t.ids.map(String) }),
          },
        ]}
        drawer={{ title: r => r.receiptNo ?? r.recordNo, page: r => go(seeRecord(r.id)) }}
      />
      {open && (
        <OpenDialog
          key={open.records.join()}
          records={open.records}
          original={open.original}
          onClose={() => setOpen(undefined)}
          onDone={r => {
            setOpen(undefined)
            go(seeInvoice(r.id))
          }}
        />
      )}
    </>
  )
}
