import { useMemo } from 'react'
import { addDays, firstOfMonth } from '#kit/domain/day.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { today } from '#kit/web/date-format.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { recordPath } from '#modules/payments/web/public.actions.ts'
import { listEntries } from '../contract/record.ts'
import { invoicePath } from './paths.ts'
import { invoiceLabel } from './labels.ts'

type Entry = NonNullable<typeof listEntries.output.T>['rows'][number]
const periodText = ({ beginDate, endDate }: Entry): string =>
  beginDate && endDate ? formatPeriod(beginDate, endDate) : '--'

// The server keeps the order of invoices: no column sorts.
const listColumns = buildColumns(listEntries.output, [
  {
    key: 'invoiceNo',
    identity: true,
    width: 196,
    render: invoiceLabel,
    text: invoiceLabel,
  },
  { key: 'buyerName', width: 130, grow: 1 },
  { key: 'sourceName', width: 100, grow: 1 },
  'feeItemName',
  { key: 'beginDate', title: '账期', width: 140, hidePriority: 1, render: periodText, text: periodText },
  { key: 'goodName', wideOnly: true },
  { key: 'amount', strong: true },
  { key: 'isRed', hiddenByDefault: true },
  { key: 'receiptNo', wideOnly: true },
  { key: 'recordNo', hiddenByDefault: true },
  { key: 'issueTime', hidePriority: 1 },
  { key: 'operatorName', wideOnly: true },
  { key: 'serialNo', hiddenByDefault: true },
  'state',
]).map(withoutSorting)

/** 开票记录: one row per invoice and payment line, red ones against their blue. */
export default function EntriesPage() {
  const day = today()
  const month = firstOfMonth(day)
  const lastMonthEnd = addDays(month, -1)
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
        filter: {
          issueTimeFrom: `${firstOfMonth(lastMonthEnd)} 00:00:00`,
          issueTimeTo: `${lastMonthEnd} 00:00:00`,
        },
      },
      { id: 'red', name: '红字', filter: { isRed: true } },
      { id: '*', name: '全部', filter: {} },
    ],
    [day, lastMonthEnd, month],
  )
  return (
    <ListPage
      list={listEntries}
      itemName="开票记录"
      keywordPlaceholder="发票号/流水号/购买方/税号/对象"
      columns={listColumns}
      filters={['issueTime', 'invoiceType', 'isRed', 'state', 'buildCode', 'totalAmount']}
      barFilters={['issueTime', 'invoiceType', 'state']}
      views={views}
      keyOf={e => `${e.invoiceId}/${e.id}`}
      rowActions={entry => [
        { label: '查看发票', run: () => navigateTo(invoicePath(entry.invoiceId)) },
        { label: '查看收款', run: () => navigateTo(recordPath(entry.recordId)) },
      ]}
      drawer={{ title: e => invoiceLabel(e), openAsPage: e => navigateTo(invoicePath(e.invoiceId)) }}
    />
  )
}
