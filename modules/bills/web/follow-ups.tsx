import { paths } from './paths.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { findScreen } from '#kit/web/screen-registry.ts'
import type { Action } from '#kit/web/action.tsx'
import {
  ignoreFollowUps,
  listFollowUps,
  reassignFollowUps,
  reissueFollowUps,
  type BillFollowUp,
} from '../contract/follow-up.ts'
import { followUpPeriod } from './follow-up-period.ts'

const listColumns = buildColumns(listFollowUps.output, [
  { key: 'sourceName', identity: true, width: 120 },
  { key: 'feeItemName', width: 110 },
  { key: 'kind', hidePriority: 1 },
  { key: 'effectiveDate', hidePriority: 3 },
  followUpPeriod,
  'billAmount',
  { key: 'paidPrincipal', wideOnly: true, hidePriority: 2 },
  { key: 'oldPayerName', width: 84, hidePriority: 3 },
  { key: 'payerName', width: 84, hidePriority: 2 },
  'amount',
  { key: 'advice', width: 120, grow: 2 },
  'state',
  { key: 'result', wideOnly: true, hidePriority: 1, width: 140, grow: 2 },
  { key: 'handlerName', wideOnly: true, hidePriority: 2, width: 84 },
])

const views = [
  { id: '', name: '待处理', filter: { state: ['open'] } },
  { id: 'payer', name: '缴费人变更', filter: { state: ['open'], kind: ['payer'] } },
  { id: 'area', name: '面积变更', filter: { state: ['open'], kind: ['area'] } },
  { id: 'ending', name: '止收', filter: { state: ['open'], kind: ['ending'] } },
  { id: 'closed', name: '已处理', filter: { state: ['done', 'ignored'] } },
]

const unit = '张账单'
const nameOf = (row: BillFollowUp): string => row.billNo ?? ''

const reassign = createReasonAction<BillFollowUp>(reassignFollowUps, {
  unit,
  nameOf,
  label: '拆分改缴费人',
  consequences: ['跨生效日的账单按天拆分，生效日之后的改由新缴费人缴'],
  reasonPresets: ['过户', '更换缴费人'],
})

const reissue = createReasonAction<BillFollowUp>(reissueFollowUps, {
  unit,
  nameOf,
  label: '重新出账',
  consequences: ['原账单作废，按新面积分段重新出账，应缴日不变'],
  reasonPresets: ['面积更正'],
})

const ignore = createReasonAction<BillFollowUp>(ignoreFollowUps, {
  unit,
  nameOf,
  label: '不处理',
  consequences: ['账单保持不变，不再列入待处理'],
  reasonPresets: ['双方已自行结算', '金额很小'],
})

/** The payment that a bill was paid with, where that screen is installed. */
function refundAction(row: BillFollowUp): Action | undefined {
  const payments = findScreen(paths.payments)
  return payments && row.sourceName
    ? {
        label: '办理退款',
        needs: payments.needs,
        run: () => navigateTo(`${paths.payments}?keyword=${encodeURIComponent(row.sourceName ?? '')}`),
      }
    : undefined
}

/** Proposals of credit are settled where refunds are, where that screen is installed (CYC-9). */
function creditAction(): Action | undefined {
  const credits = findScreen(paths.endings)
  return credits
    ? { label: '转预存或退款', needs: credits.needs, run: () => navigateTo(paths.endings) }
    : undefined
}

function rowActions(row: BillFollowUp): readonly (Action | undefined)[] {
  if (row.state !== 'open') return []
  const isReassignable = row.advice === 'split' || row.advice === 'payer'
  return [
    isReassignable ? reassign.row(row) : undefined,
    row.advice === 'reissue' ? reissue.row(row) : undefined,
    row.advice === 'refund' || row.advice === 'refundFirst' ? refundAction(row) : undefined,
    row.advice === 'credit' ? creditAction() : undefined,
    ignore.row(row),
  ]
}

/** Bills that a late entry or the end of a charge no longer fits, with what to do (C27-7, CYC-9). */
export default function FollowUpsPage() {
  return (
    <ListPage
      list={listFollowUps}
      itemName="待处理账单"
      columns={listColumns}
      views={views}
      barFilters={['kind', 'effectiveDate']}
      rowActions={rowActions}
      batchActions={[reassign.batch, reissue.batch, ignore.batch]}
      unselectableReason={row => (row.state === 'open' ? undefined : '已处理')}
      drawer={{ title: nameOf, historyEntity: 'billFollowUp' }}
    />
  )
}
