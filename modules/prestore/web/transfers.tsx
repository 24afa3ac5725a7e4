import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { useState } from 'react'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSession } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { transferState } from '../contract/choices.ts'
import { auditTransfer, cancelTransfer, listTransfers, type PrestoreTransfer } from '../contract/transfer.ts'
import { auditRefusal } from '../domain/transfer.ts'
import { menu } from '../module.ts'

const listColumns = buildColumns(listTransfers.output, [
  { key: 'transferNo', identity: true, width: 160 },
  { key: 'fromName', width: 150, grow: 1 },
  { key: 'toName', width: 150, grow: 1 },
  'amount',
  { key: 'reason', width: 110, grow: 1, hidePriority: 1 },
  { key: 'applyName', hidePriority: 1 },
  { key: 'createTime', title: '申请时间', hidePriority: 1 },
  { key: 'auditName', wideOnly: true },
  { key: 'auditTime', wideOnly: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'done', name: '已转账', filter: { state: ['done'] } },
  { id: 'gone', name: '已驳回与取消', filter: { state: ['rejected', 'cancelled'] } },
]

const groups: readonly DetailGroup<PrestoreTransfer>[] = [
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
  { title: '审核', keys: ['auditName', 'auditTime', 'auditNote'] },
]

const summaryOf = (r: PrestoreTransfer): readonly (readonly [string, string])[] => [
  ['转出', r.fromName],
  ['转入', r.toName],
  ['金额', displayYuanWithSymbol(r.amount)],
]

const confirmReject = (row: PrestoreTransfer): Promise<boolean> =>
  confirmAndSend(auditTransfer, {
    actionLabel: '驳回',
    unit: '张转账单',
    title: `驳回转账单 ${row.transferNo}`,
    affectedSums: summaryOf(row),
    consequences: ['余额不变，申请人可以重新提交'],
    reason: { presets: ['没有缴费人的书面同意', '金额有误'] },
    input: note => ({ id: row.id, pass: false, note }),
  })

const confirmCancel = (row: PrestoreTransfer): Promise<boolean> =>
  confirmAndSend(cancelTransfer, {
    actionLabel: '取消',
    unit: '张转账单',
    title: `取消转账单 ${row.transferNo}`,
    affectedSums: summaryOf(row),
    consequences: ['余额不变'],
    reason: { presets: ['申请有误', '缴费人取消申请'] },
    input: { id: row.id },
  })

const ApproveDialog = actionDialog({
  call: auditTransfer,
  title: (of: PrestoreTransfer) =>
    `审核通过：${of.fromName} 转给 ${of.toName} ${displayYuanWithSymbol(of.amount)}`,
  submitLabel: '审核通过',
  keys: [{ key: 'note', help: '选填' }],
  target: ({ id }) => ({ id, pass: true }),
  doneText: ({ amount }) => `已转账 ${displayYuanWithSymbol(amount)}`,
})

/** 预存转账 (ACC-11): what one person asked, another agrees to. */
export default function TransfersPage() {
  const me = Number(useSession(s => s.signed?.manager.id) ?? 0)
  const [passing, pass] = useState<PrestoreTransfer>()
  const rowActions = (row: PrestoreTransfer): Actions =>
    row.state === 'pending'
      ? [
          {
            label: '审核通过',
            needs: menu.account.permissions.audit,
            disabledReason: auditRefusal(row.applyBy, me),
            run: () => pass(row),
          },
          {
            label: '驳回',
            needs: menu.account.permissions.audit,
            danger: true,
            disabledReason: auditRefusal(row.applyBy, me),
            run: () => confirmReject(row),
          },
          {
            label: '取消',
            needs: menu.account.permissions.transfer,
            danger: true,
            run: () => confirmCancel(row),
          },
        ]
      : []
  return (
    <>
      <ListPage
        list={listTransfers}
        itemName="转账单"
        columns={listColumns}
        filters={['state', 'amount', 'createTime', 'auditTime']}
        barFilters={['createTime']}
        views={views}
        rowActions={rowActions}
        drawer={{
          title: r => r.transferNo,
          status: r => <ChoiceStatus choices={transferState} value={r.state} />,
          groups,
          historyEntity: 'assetTransfer',
        }}
      />
      {passing && <ApproveDialog record={passing} onClose={() => pass(undefined)} />}
    </>
  )
}
