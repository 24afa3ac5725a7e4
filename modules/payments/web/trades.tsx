import { Segmented } from 'antd'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { addDays } from '#kit/domain/day.ts'
import { subtractFen, type Fen } from '#kit/domain/money.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { useListConditions } from '#kit/web/list/use-list.ts'
import type { ListView } from '#kit/web/list/list-views.tsx'
import { useCall } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { payMethod } from '../contract/choices.ts'
import { listTrades, summarizeRecords } from '../contract/record.ts'
import { exportTrades } from '../contract/import-export.ts'
import { describeTenders } from '../domain/tender-sums.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { describeMethod } from './format-methods.ts'
import { paths, recordPath } from './paths.ts'
import { useTradeLinks } from './public.trade-screens.ts'
import './payments.css'

type Trade = NonNullable<typeof listTrades.output.T>['rows'][number]

// The server keeps the order of payments: no column sorts.
const listColumns = buildColumns(listTrades.output, [
  { key: 'billNo', identity: true, width: 158 },
  { key: 'sourceName', width: 116, grow: 1 },
  'feeItemName',
  {
    key: 'beginDate',
    title: '账期',
    width: 140,
    render: (t: Trade) => formatPeriod(t.beginDate, t.endDate),
    text: (t: Trade) => formatPeriod(t.beginDate, t.endDate),
  },
  'principal',
  { key: 'deposit', hidePriority: 2 },
  { key: 'lateFee', hidePriority: 2 },
  { key: 'recordType', hidePriority: 1 },
  {
    key: 'payMethod',
    render: describeMethod,
    text: (t: Trade) => describeTenders(t.methods),
  },
  'payTime',
  { key: 'receiptNo', width: 124, wideOnly: true, hidePriority: 1 },
  { key: 'payerName', width: 84, grow: 1, wideOnly: true, hidePriority: 2 },
  { key: 'cashierName', width: 84, grow: 1, wideOnly: true, hidePriority: 2 },
  { key: 'recordNo', width: 150, wideOnly: true, hidePriority: 2 },
]).map(withoutSorting)

const dayRanges = [
  ['今天', 1],
  ['近 7 天', 7],
  ['近 30 天', 30],
  ['近 90 天', 90],
] as const

/** What the filter now in the address took, by method; its days by a shortcut. */
function TradeSummary({ views }: { readonly views: readonly ListView[] }) {
  const navigate = useNavigate()
  const day = today()
  const { filter, keyword, conditions } = useListConditions({
    list: listTrades,
    itemName: '缴费明细',
    views,
  })
  const sums = useCall(summarizeRecords, conditions, { quiet: true, keepPrevious: true }).data
  const chosenRange = dayRanges.find(
    ([, n]) => conditions.payDayFrom === addDays(day, 1 - n) && conditions.payDayTo === day,
  )?.[0]
  return (
    <div className="pay-band" aria-label="按支付方式汇总">
      <Segmented
        size="small"
        aria-label="日期"
        value={chosenRange ?? ''}
        options={dayRanges.map(([label]) => ({ value: label, label }))}
        onChange={chosen => {
          const dayCount = dayRanges.find(([label]) => label === chosen)?.[1]
          if (dayCount) {
            void navigate(
              listLink(
                paths.trades,
                listTrades,
                { ...filter, payDayFrom: addDays(day, 1 - dayCount), payDayTo: day },
                { keyword, view: '*' },
              ),
              { replace: true },
            )
          }
        }}
      />
      <span>{sums ? formatCount(sums.count) : '--'} 笔</span>
      <SumFigure label="实收" value={sums?.received} />
      <SumFigure label="退款" value={sums?.refunded} />
      <SumFigure label="净收" value={sums?.net} />
      {sums && sums.offset !== 0 && <SumFigure label="预存与券抵扣" value={sums.offset} />}
      <ul>
        {sums?.methods.map(line => (
          <li key={line.method}>
            {labelOf(payMethod, line.method)}{' '}
            <b className="figure">{displayYuan(subtractFen(line.received, line.refunded))}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A sum in the band; it has its place before it is known. */
const SumFigure = ({ label, value }: { readonly label: string; readonly value: Fen | undefined }) => (
  <span>
    {label} <b className="figure">{value === undefined ? '--' : displayYuan(value)}</b>
  </span>
)

/** 交易中心: one row per bill and payment. */
export default function TradesPage() {
  const navigate = useNavigate()
  const day = today()
  const firstDay = addDays(day, -29)
  const links = useTradeLinks(paths.trades)
  const views = useMemo(
    () => [
      { id: '', name: '近 30 天', filter: { payDayFrom: firstDay, payDayTo: day } },
      { id: '*', name: '全部', filter: {} },
    ],
    [day, firstDay],
  )
  return (
    <ListPage
      list={listTrades}
      itemName="缴费明细"
      keywordPlaceholder="流水号/收据号/收费对象/缴费人"
      columns={listColumns}
      filters={['payDay', 'payMethod', 'recordType', 'cashierId', 'buildCode', 'receivedAmount']}
      barFilters={['payDay', 'payMethod', 'recordType']}
      views={views}
      belowToolbar={<TradeSummary views={views} />}
      export={exportTrades}
      toolbarActions={links}
      rowActions={t => [{ label: '查看收款', run: () => navigate(recordPath(t.recordId)) }]}
      drawer={{
        title: t => `${t.sourceName} ${t.feeItemName}`,
        openAsPage: t => void navigate(recordPath(t.recordId)),
      }}
    />
  )
}
