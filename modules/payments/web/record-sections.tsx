import { defined } from '#kit/domain/defined.ts'
import { addFen } from '#kit/domain/money.ts'
import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { rowHeights } from '#kit/web/table/column-layout.ts'
import { payDetail, type PayDetail, type PayRecord } from '../contract/record.ts'
import { listRefunds } from '../contract/refund.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { menu } from '../module.ts'
import { cashFactsOf, formatMethods } from './format-methods.ts'
import { paths, recordPath } from './paths.ts'
import { RefundStatus } from './refund-status.tsx'
import './payments.css'

const detailColumns = buildColumns(payDetail, [
  { key: 'feeItemName', identity: false, width: 104 },
  { key: 'sourceName', width: 116 },
  {
    key: 'beginDate',
    title: '账期',
    width: 140,
    fitContent: true,
    sortKey: undefined,
    render: d => formatPeriod(d.beginDate, d.endDate),
    text: d => formatPeriod(d.beginDate, d.endDate),
  },
  { key: 'principal', sortKey: undefined },
  { key: 'lateFee', sortKey: undefined },
  {
    key: 'refundedPrincipal',
    title: '已退',
    sortKey: undefined,
    render: d => displayYuan(addFen(d.refundedPrincipal, d.refundedLateFee)),
    text: d => displayYuan(addFen(d.refundedPrincipal, d.refundedLateFee)),
  },
]).map(c => ({ ...c, identity: false }))

export const recordGroups: readonly DetailGroup<PayRecord>[] = [
  {
    title: '收款',
    keys: [
      'recordNo',
      'receiptNo',
      'recordType',
      'payTime',
      { key: 'ways', label: '支付方式', render: formatMethods },
      'receivedAmount',
      { key: 'tendered', label: '收到现金', render: r => cashFactsOf(r).tendered },
      { key: 'change', label: '找零', render: r => cashFactsOf(r).change },
      'toPrestore',
      'principalAmount',
      'lateFeeAmount',
      'roundOff',
      'refundedAmount',
      'refundingAmount',
      'invoicedAmount',
      'incomeAmount',
      'incomeTime',
    ],
  },
  {
    title: '缴费人与经办',
    keys: [
      'sourceName',
      'payerName',
      'cashierName',
      'dayClosed',
      'printCount',
      'isHistory',
      'voidReason',
      'remark',
    ],
  },
]

/** What each bill got, and what was asked back. */
export function RecordDetails({
  of: record,
  details,
}: {
  readonly of: PayRecord
  readonly details: readonly PayDetail[]
}) {
  const hasPermission = usePermission()
  const navigate = useNavigate()
  const canHaveRefunds = record.recordType === 'payment' || record.recordType === 'deduction'
  const refunds =
    useCall(
      listRefunds,
      { recordId: [String(record.id)], size: 50 },
      {
        quiet: true,
        enabled: canHaveRefunds && hasPermission(menu.refund.permissions.view),
      },
    ).data?.rows ?? []
  return (
    <div className="record-more">
      {details.length > 0 && (
        <section>
          <h3>缴费明细（{details.length}）</h3>
          <div style={{ height: Math.min(details.length, 12) * rowHeights.dense + rowHeights.head + 2 }}>
            <DataTable rows={details} columns={detailColumns} keyOf={d => d.id} label="缴费明细" dense />
          </div>
        </section>
      )}
      {refunds.length > 0 && (
        <section>
          <h3>退款（{refunds.length}）</h3>
          {refunds.map(refund => (
            <p key={refund.id}>
              <button
                type="button"
                className="linkish"
                onClick={() => navigate(`${paths.refunds}?keyword=${refund.refundNo}`)}
              >
                {refund.refundNo}
              </button>
              <RefundStatus refund={refund} />
              <span className="figure">{displayYuan(refund.amount)}</span>
              <small>{refund.reason}</small>
            </p>
          ))}
        </section>
      )}
      {record.originRecordId && (
        <p>
          <button
            type="button"
            className="linkish"
            onClick={() => navigate(recordPath(defined(record.originRecordId)))}
          >
            查看原收款
          </button>
        </p>
      )}
    </div>
  )
}
