import { useNavigate } from 'react-router'
import { act, tellDone } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import { useMemo, useState } from 'react'
import { refundState } from '../contract/choices.ts'
import { auditRefund, cancelRefund, listRefunds, retryRefund, type FeeRefund } from '../contract/refund.ts'
import { auditRefusal } from '../domain/refund.ts'
import { menu } from '../module.ts'
import { seeRecord } from './places.ts'
import { useReceipts } from './use-receipts.tsx'

const shown = columns(listRefunds.output, [
  { key: 'refundNo', identity: true, width: 150 },
  { key: 'sourceName', width: 120, grow: 1 },
  { key: 'payerName', width: 84, grow: 1, drop: 1 },
  'amount',
  'refundWay',
  { key: 'billAfter', drop: 1 },
  { key: 'reason', width: 120, grow: 1, drop: 1 },
  { key: 'applyName', width: 84, grow: 1, roomy: true, drop: 1 },
  { key: 'createTime', title: '申请时间', drop: 1 },
  { key: 'auditName', width: 84, grow: 1, roomy: true, drop: 2 },
  { key: 'finishTime', roomy: true, drop: 2 },
  { key: 'failReason', aside: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'doing', name: '处理中', filter: { state: ['doing'] } },
  { id: 'failed', name: '退款失败', filter: { state: ['failed'] } },
  { id: 'done', name: '已退款', filter: { state: ['done'] } },
  { id: 'gone', name: '已驳回与取消', filter: { state: ['rejected', 'cancelled'] } },
]

const groups = [
  {
    title: '退款',
    keys: [
      'refundNo',
      'sourceName',
      'payerName',
      'amount',
      'refundWay',
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
      { key: 'auditNote', wide: true },
      'finishTime',
      'channelRefundNo',
      { key: 'failReason', wide: true },
    ],
  },
] as const

const sums = (f: FeeRefund): readonly (readonly [string, string])[] => [
  ['缴费对象', f.sourceName],
  ['退款金额', yuan(f.amount, true)],
]

const refuse = (f: FeeRefund): Promise<boolean> =>
  danger({
    verb: '驳回',
    what: '笔退款',
    count: 1,
    title: `驳回退款 ${f.refundNo}`,
    sums: sums(f),
    follows: ['款项不退，申请人可以重新申请'],
    reason: { presets: ['凭证不全', '金额有误', '不符合退款规定'] },
    run: async note =>
      tellDone(await act(auditRefund, { id: f.id, pass: false, note }, { quiet: true }), '已驳回'),
  })

const cancel = (f: FeeRefund): Promise<boolean> =>
  danger({
    verb: f.state === 'done' ? '撤销' : '取消',
    what: '笔退款',
    count: 1,
    title: `${f.state === 'done' ? '撤销' : '取消'}退款 ${f.refundNo}`,
    sums: sums(f),
    follows: [
      f.state === 'done' ? '红冲记录作废，账单重新记为已缴；仅当天可以撤销' : '收款恢复为可退，款项不退',
    ],
    reason: { presets: ['申请有误', '缴费人改变主意'] },
    run: async reason =>
      tellDone(
        await act(cancelRefund, { id: f.id, reason }, { quiet: true }),
        f.state === 'done' ? '已撤销' : '已取消',
      ),
  })

const passGroups = [{ keys: [{ key: 'note', label: '审核意见', help: '可以不填' }] }]

function PassDialog({ of: f, onClose }: { readonly of: FeeRefund; readonly onClose: () => void }) {
  const go = useSend(auditRefund, { quiet: true })
  const initial = useMemo(() => ({ id: f.id, pass: true }), [f.id])
  return (
    <EditDialog
      of={auditRefund.input}
      title={`审核通过退款 ${f.refundNo}（${yuan(f.amount, true)}）`}
      groups={passGroups}
      initial={initial}
      words="审核通过"
      as="dialog"
      save={v => go.mutateAsync({ ...v, ...initial })}
      onClose={onClose}
      onDone={a => {
        const done = a as FeeRefund
        tellDone(
          done,
          done.state === 'done' ? `已退款 ${yuan(done.amount, true)}` : '已提交支付渠道，等待结果',
        )
        onClose()
      }}
    />
  )
}

/** 退款 (C6.1): asked, judged by another, paid out. */
export default function RefundsPage() {
  const me = useSession(s => s.signed?.manager.id) ?? 0
  const navigate = useNavigate()
  const [passing, pass] = useState<FeeRefund>()
  const receipts = useReceipts()
  const verbs = (f: FeeRefund): Verbs => [
    ...(f.state === 'pending'
      ? ([
          {
            label: '审核通过',
            may: menu.refund.may.audit,
            why: auditRefusal(f.applyBy, Number(me)),
            run: () => pass(f),
          },
          {
            label: '驳回',
            may: menu.refund.may.audit,
            why: auditRefusal(f.applyBy, Number(me)),
            danger: true,
            run: () => refuse(f),
          },
        ] as Verb[])
      : []),
    f.state === 'failed' &&
      ({
        label: '重试',
        may: menu.refund.may.audit,
        run: async () => tellDone(await act(retryRefund, { id: f.id }), '已重新提交'),
      } as Verb),
    f.state === 'done' &&
      f.negRecordId !== undefined &&
      ({
        label: '打印退款单',
        may: menu.record.may.print,
        run: () => receipts.open([f.negRecordId!]),
      } as Verb),
    { label: '查看原收款', may: menu.record.may.view, run: () => navigate(seeRecord(f.recordId)) },
    (f.state === 'pending' || f.state === 'failed' || f.state === 'done') &&
      ({
        label: f.state === 'done' ? '撤销退款' : '取消退款',
        may: menu.refund.may.cancel,
        danger: true,
        why: f.state === 'done' && f.billAfter !== 'owed' ? '账单已随退款作废或减免，不能撤销' : undefined,
        run: () => cancel(f),
      } as Verb),
  ]
  return (
    <>
      <ListPage
        list={listRefunds}
        what="退款"
        columns={shown}
        filters={['refundWay', 'billAfter', 'state', 'amount', 'buildCode', 'createTime', 'finishTime']}
        bar={['refundWay', 'createTime']}
        views={views}
        row={verbs}
        dim={f => f.state === 'rejected' || f.state === 'cancelled'}
        drawer={{
          title: f => f.refundNo,
          status: f => <Choice of={refundState} value={f.state} />,
          groups: groups as never,
          history: 'feeRefund',
        }}
      />
      {receipts.dialog}
      {passing && <PassDialog of={passing} onClose={() => pass(undefined)} />}
    </>
  )
}
