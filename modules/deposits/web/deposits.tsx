import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirmDanger } from '#kit/web/confirm.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Action, Actions } from '#kit/web/action.tsx'
import type { Permission } from '#kit/contract/call.ts'
import { markReceiptsPrinted } from '#modules/payments/contract/receipt.ts'
import { useReceipts } from '#modules/payments/web/public.ts'
import { depositState } from '../contract/choices.ts'
import {
  addDeposit,
  deleteDeposit,
  exportDeposits,
  listDepositEntries,
  listDeposits,
  getDeposit,
  type Deposit,
} from '../contract/deposit.ts'
import { withdrawalRefusal } from '../domain/deposit.ts'
import { menu } from '../module.ts'
import type { DepositMovement } from './deposit-dialogs.tsx'

const DepositDialog = lazyComponent(() => import('./deposit-dialogs.tsx').then(m => m.DepositDialog))

const listColumns = buildColumns(listDeposits.output, [
  { key: 'depositNo', identity: true, width: 150 },
  'kind',
  { key: 'roomName', width: 116, grow: 1 },
  { key: 'payerName', width: 84, grow: 1, hidePriority: 1 },
  'amount',
  'balance',
  { key: 'deducted', hidePriority: 1 },
  { key: 'refunded', hidePriority: 1 },
  { key: 'converted', wideOnly: true, hidePriority: 2 },
  { key: 'receiveTime', wideOnly: true, hidePriority: 2 },
  'state',
])

const entryColumns = buildColumns(listDepositEntries.output, [
  'entryType',
  'amount',
  'balanceAfter',
  'entryTime',
  { key: 'reason', width: 120, grow: 1 },
  {
    key: 'evidence',
    title: '凭证',
    width: 96,
    render: e => (e.evidence?.length ? <StoredImages fileKeys={e.evidence} /> : '--'),
    text: () => '',
  },
  'operatorName',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'waiting', name: '待收', filter: { state: ['waiting'] } },
  { id: 'held', name: '在押', filter: { state: ['received', 'partRefunded'] } },
  { id: 'done', name: '已办完', filter: { state: ['refunded', 'toIncome', 'toPrestore'] } },
]

const formGroups = [
  { keys: ['kind', { key: 'roomCode', wide: true }, 'amount', 'payerName', { key: 'remark', wide: true }] },
]

/** Its state stands in the head. */
const detailGroups: readonly DetailGroup<Deposit>[] = [
  {
    title: '押金',
    keys: [
      'depositNo',
      'kind',
      'roomName',
      'payerName',
      'amount',
      'balance',
      'receiveTime',
      'deducted',
      'refunded',
      'converted',
      { key: 'remark', wide: true },
    ],
  },
]

const confirmDelete = (d: Deposit): Promise<boolean> =>
  confirmDanger({
    actionLabel: '删除',
    unit: '张押金单',
    count: 1,
    title: `删除待收押金 ${d.depositNo}`,
    affectedSums: [
      ['房屋', d.roomName],
      ['金额', displayYuan(d.amount, true)],
    ],
    reason: { presets: ['登记有误', '不再装修'] },
    run: async reason =>
      toastResult(await sendAndInvalidate(deleteDeposit, { id: d.id, reason }, { quiet: true }), '已删除'),
  })

/** 押金管理 (C6.3). */
export default function DepositsPage() {
  const [open, setOpen] = useState<{ readonly what: DepositMovement; readonly of: Deposit }>()
  const close = (): void => setOpen(undefined)
  const ask = (what: DepositMovement, of: Deposit) => (): void => setOpen({ what, of })
  const receipts = useReceipts()
  const form = useEdit({
    itemName: '押金',
    add: addDeposit,
    nameOf: (d: Deposit) => d.depositNo,
    groups: formGroups,
  })
  const verbs = (d: Deposit): Actions =>
    d.state === 'waiting'
      ? [
          { label: '收取', needs: menu.deposit.permissions.receive, run: ask('receive', d) },
          { label: '删除', needs: menu.deposit.permissions.del, danger: true, run: () => confirmDelete(d) },
        ]
      : ([
          {
            label: '退还',
            needs: menu.deposit.permissions.refund,
            disabledReason: withdrawalRefusal(d),
            run: ask('refund', d),
          },
          {
            label: '打印押金收据',
            needs: markReceiptsPrinted.needs as Permission,
            disabledReason: d.recordId ? undefined : '没有收款记录',
            run: () => receipts.open([defined(d.recordId)]),
          },
          {
            label: '扣款',
            needs: menu.deposit.permissions.deduct,
            disabledReason: withdrawalRefusal(d),
            run: ask('deduct', d),
          },
          {
            label: '转收入或预存',
            needs: menu.deposit.permissions.convert,
            disabledReason: withdrawalRefusal(d),
            run: ask('convert', d),
          },
        ] as Action[])
  return (
    <>
      <ListPage
        list={listDeposits}
        itemName="押金"
        columns={listColumns}
        filters={['kind', 'buildCode', 'balance', 'receiveTime', 'state']}
        barFilters={['kind', 'buildCode']}
        views={views}
        export={exportDeposits}
        primaryAction={form.addAction}
        rowActions={verbs}
        drawer={{
          title: d => `${d.roomName} ${d.depositNo}`,
          width: 880,
          status: d => <ChoiceStatus choices={depositState} value={d.state} />,
          loadCall: getDeposit,
          groups: detailGroups,
          tabs: [
            {
              key: 'entries',
              label: () => '流水',
              body: d => (
                <ListPage
                  embedded
                  list={listDepositEntries}
                  itemName="押金流水"
                  columns={entryColumns}
                  fixedFilter={{ depositId: [String(d.id)] }}
                  filters={[]}
                />
              ),
            },
          ],
          historyEntity: 'deposit',
        }}
      />
      {form.dialog}
      {open && (
        <DepositDialog
          movement={open.what}
          of={open.of}
          onClose={close}
          onDone={d => {
            close()
            if (open.what === 'receive' && d.recordId) {
              receipts.open([d.recordId])
            }
          }}
        />
      )}
      {receipts.dialog}
    </>
  )
}
