import { useMemo } from 'react'
import { addDays, firstOfMonth } from '#kit/domain/day.ts'
import { columns } from '#kit/web/columns.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { today } from '#kit/web/when.ts'
import { periodWords } from '#modules/bills/web/public.tsx'
import { seeRecord } from '#modules/payments/web/public.acts.ts'
import { listEntries } from '../contract/record.ts'
import { seeInvoice } from './places.ts'
import { callIt } from './words.ts'

type Entry = NonNullable<typeof listEntries.output.T>['rows'][number]
const period = (e: Entry): string => (e.beginDate && e.endDate ? periodWords(e.beginDate, e.endDate) : '--')

// The server keeps the order of invoices: no column sorts.
const shown = columns(listEntries.output, [
  {
    key: 'invoiceNo',
    identity: true,
    width: 196,
    render: (e: Entry) => callIt(e),
    text: (e: Entry) => callIt(e),
  },
  { key: 'buyerName', width: 130, grow: 1 },
  { key: 'sourceName', width: 100, grow: 1 },
  'feeItemName',
  { key: 'beginDate', title: '账期', width: 140, drop: 1, render: period, text: period },
  { key: 'goodName', roomy: true },
  { key: 'amount', strong: true },
  { key: 'isRed', aside: true },
  { key: 'receiptNo', roomy: true },
  { key: 'recordNo', aside: true },
  { key: 'issueTime', drop: 1 },
  { key: 'operatorName', roomy: true },
  { key: 'serialNo', aside: true },
  'state',
]).map(c => ({ ...c, sort: undefined }))

/** 开票记录: one row per invoice and payment line, red ones against their blue. */
export default function EntriesPage() {
  const day = today()
  const month = firstOfMonth(day)
  const last = addDays(month, -1)
  const views = useMemo(
    () => [
      {
        id: '',
        name: '本月',
        filter: { issueTimeFrom: `${month} 00:00:00`, issueTimeTo: `${day} 00:00:00` },
      },
      {
        id: 'last',
        name: '上月',
        filter: { issueTimeFrom: `${firstOfMonth(last)} 00:00:00`, issueTimeTo: `${last} 00:00:00` },
      },
      { id: 'red', name: '红字', filter: { isRed: true } },
      { id: '*', name: '全部', filter: {} },
    ],
    [day, last, month],
  )
  return (
    <ListPage
      list={listEntries}
      what="开票记录"
      sought="发票号/流水号/购买方/税号/对象"
      columns={shown}
      filters={['issueTime', 'invoiceType', 'isRed', 'state', 'buildCode', 'totalAmount']}
      bar={['issueTime', 'invoiceType', 'state']}
      views={views}
      dim={e => e.state === 'red' || e.state === 'cancelled'}
      keyOf={e => `${e.invoiceId}/${e.id}`}
      row={e => [
        { label: '查看发票', run: () => go(seeInvoice(e.invoiceId)) },
        { label: '查看收款', run: () => go(seeRecord(e.recordId)) },
      ]}
      drawer={{ title: e => callIt(e), page: e => go(seeInvoice(e.invoiceId)) }}
    />
  )
}
