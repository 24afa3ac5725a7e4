import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { parseId } from '#kit/domain/id.ts'
import { useState } from 'react'
import { useParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { History } from '#kit/web/detail/history.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { FooterActions, useAllowedActions } from '#kit/web/action.tsx'
import { channel } from '#modules/payments/contract/choices.ts'
import {
  channelBill,
  recheckChannelBill,
  exportChannelBillLines,
  listChannelBillLines,
  getChannelBill,
  pullChannelBill,
  type ChannelBill,
} from '../contract/channel-bill.ts'
import { channelBillSource } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { BillState } from './bill-state.tsx'
import { ImportBillDialog } from './import-bill-dialog.tsx'
import { ReconcileItems } from './reconcile-items.tsx'
import { toastBillResult } from './channel-bills.tsx'
import '#kit/web/detail/detail.css'
import './reconcile.css'

const listColumns = buildColumns(listChannelBillLines.output, [
  { key: 'orderNo', identity: true, width: 172 },
  'kind',
  'tradeTime',
  'amount',
  { key: 'refundNo', hidePriority: 1 },
  { key: 'transactionId', width: 220, grow: 1, hidePriority: 1 },
  { key: 'channelState', hidePriority: 2 },
  { key: 'diffType', title: '核对' },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pay', name: '收款', filter: { kind: ['pay'] } },
  { id: 'refund', name: '退款', filter: { kind: ['refund'] } },
]

/** Both sides, one under the other, and what is between them. */
function SideTotals({ bill }: { readonly bill: ChannelBill }) {
  const rows = [
    ['系统', bill.localCount, bill.localAmount, bill.localRefund],
    ['渠道', bill.channelCount, bill.channelAmount, bill.channelRefund],
    [
      '差异',
      bill.channelCount - bill.localCount,
      bill.channelAmount - bill.localAmount,
      bill.channelRefund - bill.localRefund,
    ],
  ] as const
  return (
    <table className="rec-sides" aria-label="双方合计">
      <thead>
        <tr>
          <th />
          <th>笔数</th>
          <th>收款</th>
          <th>退款</th>
          <th>净额</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, count, pay, refunded], i) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {[count, pay, refunded, pay - refunded].map((v, k) => (
              <td key={k} className="figure" data-off={(i === 2 && v !== 0) || undefined}>
                {k ? displayYuan(asFen(v)) : formatCount(v)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One channel's day: its sums, what differs, every line. */
export default function ChannelBillDayPage() {
  const {
    id,
    record: bill,
    placeholder,
  } = useAddressedRecord(getChannelBill, {
    id: parseId(useParams().id),
    tabTitle: b => `${labelOf(channel, b.channel)} ${b.checkDate}`,
  })
  const rowActionsFor = useAllowedActions()
  const [importing, setImporting] = useState(false)
  if (!bill) return placeholder
  const isCompared = bill.state === 'same' || bill.state === 'different'
  return (
    <div className="detail-page rec-day">
      <header>
        <h2>
          {labelOf(channel, bill.channel)} {bill.checkDate}
        </h2>
        <BillState bill={bill} />
        <span className="spring" />
        <FooterActions
          actions={rowActionsFor([
            isCompared && {
              label: '重新核对',
              needs: menu.reconcile.permissions.pull,
              run: async () => toastBillResult(await sendAndInvalidate(recheckChannelBill, { id })),
            },
            {
              label: isCompared ? '重新获取' : '获取渠道账单',
              needs: menu.reconcile.permissions.pull,
              run: async () =>
                toastBillResult(
                  await sendAndInvalidate(pullChannelBill, {
                    checkDate: bill.checkDate,
                    channel: bill.channel,
                  }),
                ),
            },
            { label: '导入账单', needs: menu.reconcile.permissions.import, run: () => setImporting(true) },
          ])}
        />
      </header>
      <div className="scroll">
        {bill.failReason && (
          <p role="alert" className="rec-fault">
            {bill.failReason}
          </p>
        )}
        {bill.pullTime && (
          <p className="rec-from">
            {labelOf(channelBillSource, bill.source)}，{bill.pullTime}
            {bill.operatorName ? `，${bill.operatorName}` : ''}
          </p>
        )}
        <SideTotals bill={bill} />
        <LazyTabs
          items={[
            {
              key: 'items',
              label: `差异 ${formatCount(bill.diffCount)}`,
              children: <ReconcileItems billId={id} />,
            },
            {
              key: 'lines',
              label: `渠道账单 ${formatCount(bill.channelCount)}`,
              children: (
                <ListPage
                  embedded
                  pageSize={20}
                  list={listChannelBillLines}
                  itemName="账单明细"
                  columns={listColumns}
                  fixedFilter={{ billId: [String(id)] }}
                  views={views}
                  filters={['kind', 'diffType', 'amount']}
                  barFilters={['kind', 'diffType']}
                  keywordPlaceholder="订单号/退款单号"
                  settingsKey="reconcile/day-lines"
                  export={exportChannelBillLines}
                />
              ),
            },
            { key: 'history', label: '变更', children: <History entity={channelBill.name} id={id} /> },
          ]}
        />
      </div>
      {importing && (
        <ImportBillDialog
          initial={{ checkDate: bill.checkDate, channel: bill.channel }}
          onClose={() => setImporting(false)}
          onDone={x => {
            toastBillResult(x)
            setImporting(false)
          }}
        />
      )}
    </div>
  )
}
