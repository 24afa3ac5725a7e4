import { WarningFilled } from '@ant-design/icons'
import { buildColumns } from '#kit/web/columns.tsx'
import { Money, formatSigned } from '#kit/web/numbers.tsx'
import { listOfRows } from '#kit/contract/shape.ts'
import { repricedBillFields, type RepricedBill } from '../contract/reprice.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import './generate.css'

const calculationText = (s: string | undefined): string => s?.replace(/ ?= [\d,.]+ 元$/, '') ?? '--'

export const listColumns = buildColumns<RepricedBill>(listOfRows(repricedBillFields), [
  { key: 'sourceName', strong: true, width: 120 },
  { key: 'payerName', width: 90, hidePriority: 2 },
  {
    key: 'beginDate',
    title: '账期',
    width: 150,
    render: r => formatPeriod(r.beginDate, r.endDate),
    text: r => formatPeriod(r.beginDate, r.endDate),
  },
  { key: 'billNo', width: 170, hidePriority: 1 },
  { key: 'amount', width: 110 },
  {
    key: 'next',
    width: 110,
    render: r => (r.next === undefined ? '--' : <Money fen={r.next} strong={!r.reason} />),
  },
  {
    key: 'change',
    width: 100,
    render: r => (r.change === undefined || r.reason ? '--' : formatSigned((r.change / 100).toFixed(2), 2)),
    text: r => (r.change === undefined || r.reason ? '--' : (r.change / 100).toFixed(2)),
  },
  {
    key: 'sentence',
    title: '按新价格的算法，或不能重新生成的原因',
    grow: 2,
    width: 240,
    render: repricedBill =>
      repricedBill.reason ? (
        <span className="jump">
          <WarningFilled /> {repricedBill.reason}
        </span>
      ) : (
        calculationText(repricedBill.sentence)
      ),
    text: r => r.reason ?? calculationText(r.sentence),
  },
])
