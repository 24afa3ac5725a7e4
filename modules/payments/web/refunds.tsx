import { defined } from '#kit/domain/defined.ts'
import { useNavigate } from 'react-router'
import { confirmAndSend, sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import type { Action, Actions } from '#kit/web/action.tsx'
import { useMemo, useState } from 'react'
import { auditRefund, cancelRefund, listRefunds, retryRefund, type FeeRefund } from '../contract/refund.ts'
import { auditRefusal } from '../domain/refund.ts'
import { menu } from '../module.ts'
import { recordPath } from './paths.ts'
import { RefundReturnNotice, RefundStatus, refundStateText } from './refund-status.tsx'
import { useReceipts } from './use-receipts.tsx'

const RefundStarter = lazyComponent(() => import('./refund-starter.tsx').then(m => m.RefundStarter))

const ApprovalProgress = lazyComponent(() =>
  import('#modules/approvals/web/public.ts').then(m => m.ApprovalProgress),
)

const listColumns = buildColumns(listRefunds.output, [
  { key: 'refundNo', identity: true, width: 160 },
  { key: 'sourceName', width: 120, grow: 1 },
  { key: 'subject', width: 84 },
  { key: 'payerName', width: 84, grow: 1, hidePriority: 1 },
  'amount',
  'refundWay',
  { key: 'billAfter', hidePriority: 1 },
  { key: 'reason', width: 120, grow: 1, hidePriority: 1 },
  { key: 'applyName', width: 84, grow: 1, wideOnly: true, hidePriority: 1 },
  { key: 'createTime', title: '申请时间', hidePriority: 1 },
  { key: 'auditName', width: 84, grow: 1, wideOnly: true, hidePriority: 2 },
  { key: 'finishTime', wideOnly: true, hidePriority: 2 },
  { key: 'failReason', hiddenByDefault: true },
  { key: 'state', render: row => <RefundStatus refund={row} />, text: refundStateText },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'approving', name: '审批中', filter: { state: ['approving'] } },
  { id: 'returned', name: '已退回', filter: { isReturned: true } },
  { id: 'doing', name: '处理中', filter: { state: ['doing'] } },
  { id: 'failed', name: '退款失败', filter: { state: ['failed'] } },
  { id: 'done', name: '已退款', filter: { state: ['done'] } },
  { id: 'gone', name: '已驳回与取消', filter: { state: ['rejected', 'cancelled'] } },
]

const detailGroups = [
  {
    title: '退款',
    keys: [
      'refundNo',
      'subject',
      'sourceName',
      'payerName',
      'amount',
      'refundWay',
      'method',
      'billAfter',
      { key: 'reason', wide: true },
      'applyName',
      'createTime',
    ],
  },
  {
    title: '审核与结果',
    keys: [
      'auditName',
      'auditTime',
      'auditNote',
      'returnReason',
      'finishTime',
      'channelRefundNo',
      'failReason',
    ],
  },
] as const

/** What was paid out of an account or a deposit is not taken back (C6.3). */
const canCancel = ({ state, subject }: FeeRefund): boolean =>
  state === 'pending' ||
  state === 'approving' ||
  state === 'failed' ||
  (state === 'done' && subject === 'bills')

const summaryOf = (f: FeeRefund): readonly (readonly [string, string])[] => [
  ['收费对象', f.sourceName],
  ['退款金额', displayYuanWithSymbol(f.amount)],
]

const confirmReject = (refund: FeeRefund): Promise<boolean> =>
  confirmAndSend(auditRefund, {
    actionLabel: '驳回',
    unit: '笔退款',
    title: `驳回退款 ${refund.refundNo}`,
    affectedSums: summaryOf(refund),
    consequences: ['款项不退，申请人可以重新申请'],
    reason: { presets: ['凭证不全', '金额有误', '不符合退款规定'] },
    input: note => ({ id: refund.id, pass: false, note }),
  })

const confirmCancel = (refund: FeeRefund): Promise<boolean> =>
  confirmAndSend(cancelRefund, {
    actionLabel: refund.state === 'done' ? '撤销' : '取消',
    unit: '笔退款',
    title: `${refund.state === 'done' ? '撤销' : '取消'}退款 ${refund.refundNo}`,
    affectedSums: summaryOf(refund),
    consequences: [
      refund.state === 'done'
        ? '红冲记录作废，账单重新记为已缴；仅当天可以撤销'
        : '收款恢复为可退，款项不退；审批中的审批同时终止',
    ],
    reason: { presets: ['申请有误', '缴费人取消申请'] },
    input: { id: refund.id },
  })

const approveGroups = [{ keys: [{ key: 'note', label: '审核意见', help: '选填' }] }]

function ApproveDialog({ of: request, onClose }: { readonly of: FeeRefund; readonly onClose: () => void }) {
  const audit = useSend(auditRefund, { quiet: true })
  const initial = useMemo(() => ({ id: request.id, pass: true }), [request.id])
  return (
    <EditDialog
      shape={auditRefund.input}
      draftKey={draftKeyOf(auditRefund, request.id)}
      title={`审核通过退款 ${request.refundNo}（${displayYuanWithSymbol(request.amount)}）`}
      groups={approveGroups}
      initial={initial}
      submitLabel="审核通过"
      presentation="dialog"
      save={v => audit.mutateAsync({ ...v, ...initial })}
      onClose={onClose}
      onDone={answer => {
        const refund = answer
        toastResult(
          refund,
          refund.state === 'done'
            ? `已退款 ${displayYuanWithSymbol(refund.amount)}`
            : '已提交支付渠道，等待结果',
        )
        onClose()
      }}
    />
  )
}

const RefundProgress = ({ refund }: { readonly refund: FeeRefund }) => (
  <>
    <RefundReturnNotice refund={refund} />
    <ApprovalProgress bizType="refund" bizId={refund.id} />
  </>
)

/** 退款 (C6.1): asked, judged by another, paid out. */
export default function RefundsPage() {
  const me = useSession(s => s.signed?.manager.id) ?? 0
  const navigate = useNavigate()
  const [passing, pass] = useState<FeeRefund>()
  const [isStarting, setIsStarting] = useState(false)
  const receipts = useReceipts()
  const rowActions = (refund: FeeRefund): Actions => [
    ...(refund.state === 'pending'
      ? ([
          {
            label: '审核通过',
            needs: menu.refund.permissions.audit,
            disabledReason: auditRefusal(refund.applyBy, Number(me)),
            run: () => pass(refund),
          },
          {
            label: '驳回',
            needs: menu.refund.permissions.audit,
            disabledReason: auditRefusal(refund.applyBy, Number(me)),
            danger: true,
            run: () => confirmReject(refund),
          },
        ] as Action[])
      : []),
    refund.isReturned &&
      refund.applyBy === Number(me) && {
        label: '重新提交',
        run: async () => {
          const page = await (await import('./refund-again.ts')).findAmendPage(refund)
          if (page) {
            void navigate(page)
          }
        },
      },
    refund.state === 'failed' && {
      label: '重试',
      needs: menu.refund.permissions.audit,
      run: async () => toastResult(await sendAndInvalidate(retryRefund, { id: refund.id }), '已重新提交'),
    },
    refund.state === 'done' &&
      refund.negRecordId !== undefined && {
        label: '打印退款单',
        needs: menu.record.permissions.print,
        run: () => receipts.open([defined(refund.negRecordId)]),
      },
    refund.recordId !== undefined && {
      label: '查看原收款',
      needs: menu.record.permissions.view,
      run: () => navigate(recordPath(defined(refund.recordId))),
    },
    canCancel(refund) && {
      label: refund.state === 'done' ? '撤销退款' : '取消退款',
      needs: menu.refund.permissions.cancel,
      danger: true,
      disabledReason:
        refund.state === 'done' && refund.billAfter !== 'owed'
          ? '账单已随退款作废或减免，不能撤销'
          : undefined,
      run: () => confirmCancel(refund),
    },
  ]
  return (
    <>
      <ListPage
        list={listRefunds}
        itemName="退款"
        columns={listColumns}
        filters={[
          'subject',
          'refundWay',
          'billAfter',
          'state',
          'amount',
          'buildCode',
          'createTime',
          'finishTime',
        ]}
        barFilters={['subject', 'refundWay', 'createTime']}
        views={views}
        rowActions={rowActions}
        primaryAction={{
          label: '申请退款',
          needs: menu.refund.permissions.apply,
          run: () => setIsStarting(true),
        }}
        drawer={{
          title: f => f.refundNo,
          status: f => <RefundStatus refund={f} />,
          groups: detailGroups,
          afterGroups: refund => <RefundProgress refund={refund} />,
          historyEntity: 'feeRefund',
        }}
      />
      {receipts.dialog}
      {isStarting && <RefundStarter onClose={() => setIsStarting(false)} />}
      {passing && <ApproveDialog of={passing} onClose={() => pass(undefined)} />}
    </>
  )
}
