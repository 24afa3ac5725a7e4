import type { ValueOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { confirmAndSend, createReasonAction } from '#kit/web/record-actions.ts'
import type { Action } from '#kit/web/action.tsx'
import { ignoreFollowUps, listFollowUps, type BillFollowUp } from '#modules/bills/contract/follow-up.ts'
import { followUpPeriod } from '#modules/bills/web/public.tsx'
import { settleEnding } from '../contract/ended-charge-credit.ts'
import { menu } from '../module.ts'
import { refundWaitsText } from './refund-outcome.ts'

type RefundWay = ValueOf<typeof settleEnding.input.fields>['refundWay']

const listColumns = buildColumns(listFollowUps.output, [
  { key: 'sourceName', identity: true, width: 120 },
  { key: 'feeItemName', width: 110 },
  { key: 'oldPayerName', width: 84, hidePriority: 2 },
  followUpPeriod,
  { key: 'effectiveDate', title: '止收次日', hidePriority: 3 },
  'billAmount',
  { key: 'amount', title: '应退' },
  'discount',
  'state',
  { key: 'result', wideOnly: true, width: 140, grow: 2 },
])

const views = [
  { id: '', name: '待处理', filter: { state: ['open'] } },
  { id: 'closed', name: '已处理', filter: { state: ['done', 'ignored'] } },
]

const settle = (row: BillFollowUp, label: string, refundWay: RefundWay): Action => ({
  label,
  needs: menu.refund.permissions.apply,
  danger: true,
  run: () =>
    confirmAndSend(settleEnding, {
      actionLabel: label,
      unit: '张账单',
      title: `${label}「${row.sourceName ?? ''} ${row.feeItemName ?? ''}」`,
      affectedSums: [
        ['应退', displayYuan(row.amount)],
        ['减免', displayYuan(row.discount)],
      ],
      consequences: [
        '账单按止收日减少应收，仍为已缴；按退款的审批流程审批；没有流程的，达到退款审核起点的要由另一人审核',
      ],
      reason: { presets: ['止收后多缴', '退租', '过户'] },
      input: { id: row.id, refundWay },
      doneText: done =>
        refundWaitsText(done.state, done.refundNo) ?? `已${label} ${displayYuanWithSymbol(done.amount)}`,
    }),
})

const ignore = createReasonAction<BillFollowUp>(ignoreFollowUps, {
  unit: '张账单',
  nameOf: row => row.billNo ?? '',
  label: '忽略',
  consequences: ['账单保持不变，不再列入待处理'],
  reasonPresets: ['双方已自行结算', '金额很小'],
})

const rowActions = (row: BillFollowUp): readonly Action[] =>
  row.state === 'open'
    ? [settle(row, '转预存', 'prestore'), settle(row, '退款', 'original'), ignore.row(row)]
    : []

/** Paid bills whose charge ended before their last day: to prestore, back, or left (CYC-9). */
export default function EndingCreditsPage() {
  return (
    <ListPage
      list={listFollowUps}
      itemName="止收退款"
      columns={listColumns}
      views={views}
      fixedFilter={{ kind: ['ending'] }}
      barFilters={['effectiveDate']}
      rowActions={rowActions}
      batchActions={[ignore.batch]}
      unselectableReason={row => (row.state === 'open' ? undefined : '已处理')}
    />
  )
}
