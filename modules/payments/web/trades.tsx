import { Segmented } from 'antd'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { addDays } from '#kit/domain/day.ts'
import { columns } from '#kit/web/columns.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listLink } from '#kit/web/list/query.ts'
import { useMeant } from '#kit/web/list/use-list.ts'
import type { View } from '#kit/web/list/views.tsx'
import { useCall } from '#kit/web/query.ts'
import { today } from '#kit/web/when.ts'
import { payMethod } from '../contract/choices.ts'
import { listTrades, sumRecords } from '../contract/record.ts'
import { exportTrades } from '../contract/transfer.ts'
import { periodWords } from '#modules/bills/web/public.tsx'
import { places, seeRecord } from './places.ts'
import './paydesk.css'

type Trade = NonNullable<typeof listTrades.output.T>['rows'][number]

// The server keeps the order of payments: no column sorts.
const shown = columns(listTrades.output, [
  { key: 'billNo', identity: true, width: 158 },
  { key: 'sourceName', width: 116, grow: 1 },
  'feeItemName',
  {
    key: 'beginDate',
    title: '账期',
    width: 140,
    render: (t: Trade) => periodWords(t.beginDate, t.endDate),
    text: (t: Trade) => periodWords(t.beginDate, t.endDate),
  },
  'principal',
  { key: 'lateFee', drop: 2 },
  { key: 'recordType', drop: 1 },
  'payMethod',
  'payTime',
  { key: 'receiptNo', width: 124, roomy: true, drop: 1 },
  { key: 'payerName', width: 84, grow: 1, roomy: true, drop: 2 },
  { key: 'cashierName', width: 84, grow: 1, roomy: true, drop: 2 },
  { key: 'recordNo', width: 116, roomy: true, drop: 2 },
]).map(c => ({ ...c, sort: undefined }))

const spans = [
  ['今天', 1],
  ['近 7 天', 7],
  ['近 30 天', 30],
  ['近 90 天', 90],
] as const

/** What the filter now in the address took, by method; its days by a shortcut. */
function Summary({ views }: { readonly views: readonly View[] }) {
  const navigate = useNavigate()
  const day = today()
  const { filter, keyword } = useMeant({ list: listTrades, what: '缴费明细', views })
  const asked = { ...filter, ...(keyword ? { keyword } : {}) } as { payDayFrom?: string; payDayTo?: string }
  const s = useCall(sumRecords, asked as never, { quiet: true, keep: true }).data
  const said = spans.find(([, n]) => asked.payDayFrom === addDays(day, 1 - n) && asked.payDayTo === day)?.[0]
  return (
    <div className="pay-band" aria-label="按支付方式汇总">
      <Segmented
        size="small"
        aria-label="日期"
        value={said ?? ''}
        options={spans.map(([label]) => ({ value: label, label }))}
        onChange={v => {
          const n = spans.find(([label]) => label === v)?.[1]
          if (n) {
            void navigate(
              listLink(
                places.trades,
                listTrades,
                { ...filter, payDayFrom: addDays(day, 1 - n), payDayTo: day },
                { keyword, view: '*' },
              ),
              { replace: true },
            )
          }
        }}
      />
      {s && (
        <>
          <span>{count(s.count)} 笔</span>
          <span>
            收 <b className="figure">{yuan(s.received)}</b>
          </span>
          <span>
            退 <b className="figure">{yuan(s.refunded)}</b>
          </span>
          <span>
            净额 <b className="figure">{yuan(s.net)}</b>
          </span>
          <ul>
            {s.methods.map(m => (
              <li key={m.method}>
                {labelOf(payMethod, m.method)} <b className="figure">{yuan(m.received - m.refunded)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** 交易中心: one row per bill and payment. */
export default function TradesPage() {
  const navigate = useNavigate()
  const day = today()
  const first = addDays(day, -29)
  const views = useMemo(
    () => [
      { id: '', name: '近 30 天', filter: { payDayFrom: first, payDayTo: day } },
      { id: '*', name: '全部', filter: {} },
    ],
    [day, first],
  )
  return (
    <ListPage
      list={listTrades}
      what="缴费明细"
      sought="流水号/收据号/缴费对象/缴费人"
      columns={shown}
      filters={['payDay', 'payMethod', 'recordType', 'cashierId', 'buildCode', 'receivedAmount']}
      bar={['payDay', 'payMethod', 'recordType']}
      views={views}
      above={<Summary views={views} />}
      export={exportTrades}
      row={t => [{ label: '查看收款', run: () => navigate(seeRecord(t.recordId)) }]}
      drawer={{
        title: t => `${t.sourceName} ${t.feeItemName}`,
        page: t => void navigate(seeRecord(t.recordId)),
      }}
    />
  )
}
