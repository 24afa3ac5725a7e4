import { useMemo, useState } from 'react'
import { act, tellDone } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { transferState } from '../contract/choices.ts'
import { auditTransfer, cancelTransfer, listTransfers, type PrestoreTransfer } from '../contract/transfer.ts'
import { auditRefusal } from '../domain/transfer.ts'
import { menu } from '../module.ts'

const shown = columns(listTransfers.output, [
  { key: 'transferNo', identity: true, width: 160 },
  { key: 'fromName', width: 150, grow: 1 },
  { key: 'toName', width: 150, grow: 1 },
  'amount',
  { key: 'reason', width: 110, grow: 1, drop: 1 },
  { key: 'applyName', drop: 1 },
  { key: 'createTime', title: '申请时间', drop: 1 },
  { key: 'auditName', roomy: true },
  { key: 'auditTime', roomy: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'done', name: '已转账', filter: { state: ['done'] } },
  { id: 'gone', name: '已驳回与取消', filter: { state: ['rejected', 'cancelled'] } },
]

const groups = [
  {
    title: '转账',
    keys: [
      'transferNo',
      'fromName',
      'toName',
      'amount',
      { key: 'reason', wide: true },
      'applyName',
      'createTime',
    ],
  },
  { title: '审核', keys: ['auditName', 'auditTime', { key: 'auditNote', wide: true }] },
] as never

const sums = (r: PrestoreTransfer): readonly (readonly [string, string])[] => [
  ['转出', r.fromName],
  ['转入', r.toName],
  ['金额', yuan(r.amount, true)],
]

const reject = (r: PrestoreTransfer): Promise<boolean> =>
  danger({
    verb: '驳回',
    what: '张转账单',
    count: 1,
    title: `驳回转账单 ${r.transferNo}`,
    sums: sums(r),
    follows: ['余额不动，申请人可以重新提交'],
    reason: { presets: ['没有缴费人的书面同意', '金额有误'] },
    run: async note =>
      tellDone(await act(auditTransfer, { id: r.id, pass: false, note }, { quiet: true }), '已驳回'),
  })

const cancel = (r: PrestoreTransfer): Promise<boolean> =>
  danger({
    verb: '取消',
    what: '张转账单',
    count: 1,
    title: `取消转账单 ${r.transferNo}`,
    sums: sums(r),
    follows: ['余额不动'],
    reason: { presets: ['申请有误', '缴费人改变主意'] },
    run: async reason => tellDone(await act(cancelTransfer, { id: r.id, reason }, { quiet: true }), '已取消'),
  })

const passGroups = [{ keys: [{ key: 'note', label: '审核意见', help: '可以不填' }] }]

function PassDialog({ of: r, onClose }: { readonly of: PrestoreTransfer; readonly onClose: () => void }) {
  const go = useSend(auditTransfer, { quiet: true })
  const initial = useMemo(() => ({ id: r.id, pass: true }), [r.id])
  return (
    <EditDialog
      of={auditTransfer.input}
      title={`审核通过：${r.fromName} 转给 ${r.toName} ${yuan(r.amount, true)}`}
      groups={passGroups}
      initial={initial}
      words="审核通过"
      as="dialog"
      save={v => go.mutateAsync({ ...v, ...initial })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, `已转账 ${yuan(r.amount, true)}`)
        onClose()
      }}
    />
  )
}

/** 预存转账 (ACC-11): what one person asked, another agrees to. */
export default function TransfersPage() {
  const me = Number(useSession(s => s.signed?.manager.id) ?? 0)
  const [passing, pass] = useState<PrestoreTransfer>()
  const verbs = (r: PrestoreTransfer): Verbs =>
    r.state === 'pending'
      ? [
          {
            label: '审核通过',
            may: menu.account.may.audit,
            why: auditRefusal(r.applyBy, me),
            run: () => pass(r),
          },
          {
            label: '驳回',
            may: menu.account.may.audit,
            danger: true,
            why: auditRefusal(r.applyBy, me),
            run: () => reject(r),
          },
          { label: '取消', may: menu.account.may.transfer, danger: true, run: () => cancel(r) },
        ]
      : []
  return (
    <>
      <ListPage
        list={listTransfers}
        what="转账单"
        columns={shown}
        filters={['state', 'amount', 'createTime', 'auditTime']}
        bar={['createTime']}
        views={views}
        row={verbs}
        dim={r => r.state === 'rejected' || r.state === 'cancelled'}
        drawer={{
          title: r => r.transferNo,
          status: r => <Choice of={transferState} value={r.state} />,
          groups,
          history: 'assetTransfer',
        }}
      />
      {passing && <PassDialog of={passing} onClose={() => pass(undefined)} />}
    </>
  )
}
