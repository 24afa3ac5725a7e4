import type { Id } from '#kit/domain/id.ts'
import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { RecordAction } from '#kit/web/crud/crud-spec.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { markReceiptsPrinted } from '#modules/payments/contract/receipt.ts'
import {
  addDeposit,
  deleteDeposit,
  deposits,
  exportDeposits,
  depositEntries,
  type Deposit,
} from '../contract/deposit.ts'
import { withdrawalRefusal } from '../domain/deposit.ts'
import { menu } from '../module.ts'
import type { DepositMovement } from './deposit-dialogs.tsx'

const ReceiptsDialog = lazyComponent(() =>
  import('#modules/payments/web/public.ts').then(m => m.ReceiptsDialog),
)
const DepositDialog = lazyComponent(() => import('./deposit-dialogs.tsx').then(m => m.DepositDialog))
const { permissions } = menu.deposit

const entryColumns = buildColumns(depositEntries.list.output, [
  'entryType',
  'amount',
  'balanceAfter',
  'entryTime',
  { key: 'reason', width: 120, grow: 1 },
  {
    key: 'evidence',
    width: 96,
    render: e => (e.evidence?.length ? <StoredImages fileKeys={e.evidence} /> : '--'),
    text: () => '',
  },
  'operatorName',
])

const DepositEntries = ({ deposit }: { readonly deposit: Deposit }) => (
  <ListPage
    embedded
    list={depositEntries.list}
    itemName="押金流水"
    columns={entryColumns}
    fixedFilter={{ depositId: [String(deposit.id)] }}
    filters={[]}
  />
)

const confirmDelete = ({ id, depositNo, roomName, amount }: Deposit): Promise<boolean> =>
  confirmAndSend(deleteDeposit, {
    actionLabel: '删除',
    unit: '张押金单',
    title: `删除待收押金 ${depositNo}`,
    affectedSums: [
      ['房屋', roomName],
      ['金额', displayYuanWithSymbol(amount)],
    ],
    reason: { presets: ['登记有误', '不再装修'] },
    input: { id },
  })

const isWaiting = (d: Deposit): boolean => d.state === 'waiting'
const wasReceived = (d: Deposit): boolean => !isWaiting(d)

/** Money leaves a deposit that was received, one way. */
const withdrawal = (label: string, movement: DepositMovement): RecordAction<Deposit> => ({
  label,
  needs: permissions[movement],
  isOffered: wasReceived,
  disabledReason: d => withdrawalRefusal(d),
  dialog: ({ of: [d], onClose }) => d && <DepositDialog movement={movement} record={d} onClose={onClose} />,
})

interface ReceiveDialogProps {
  readonly of: readonly Deposit[]
  readonly onClose: () => void
}

/** Receives a deposit, then offers its receipt. */
function ReceiveDialog({ of: [deposit], onClose }: ReceiveDialogProps) {
  const [recordId, setRecordId] = useState<Id>()
  if (recordId) return <ReceiptsDialog ids={[recordId]} onClose={onClose} />
  const finish = (received: Deposit): void => (received.recordId ? setRecordId(received.recordId) : onClose())
  return deposit && <DepositDialog movement="receive" record={deposit} onClose={onClose} onDone={finish} />
}

/** 押金管理 (C6.3). */
export const pages = crudPages(
  { ...deposits, add: addDeposit },
  {
    unit: '张押金单',
    nameOf: d => `${d.roomName} ${d.depositNo}`,
    export: exportDeposits,
    form: {
      groups: [
        {
          keys: ['kind', { key: 'roomCode', wide: true }, 'amount', 'payerName', 'remark'],
        },
      ],
      savedText: d => `已新增押金「${d.depositNo}」`,
    },
    actions: [
      { label: '收取', needs: permissions.receive, isOffered: isWaiting, dialog: ReceiveDialog },
      { label: '删除', needs: permissions.del, danger: true, isOffered: isWaiting, run: confirmDelete },
      withdrawal('退还', 'refund'),
      {
        label: '打印押金收据',
        needs: markReceiptsPrinted.needs,
        isOffered: wasReceived,
        disabledReason: d => (d.recordId ? undefined : '无收款记录'),
        dialog: ({ of: [d], onClose }) =>
          d?.recordId && <ReceiptsDialog ids={[d.recordId]} onClose={onClose} />,
      },
      withdrawal('扣款', 'deduct'),
      withdrawal('转收入或预存', 'convert'),
    ],
    columns: [
      { key: 'depositNo', identity: true, width: 150 },
      'kind',
      { key: 'roomName', width: 116, grow: 1 },
      { key: 'payerName', width: 84, grow: 1, hidePriority: 1 },
      'amount',
      'balance',
      { key: 'refunding', wideOnly: true, hidePriority: 2 },
      { key: 'deducted', hidePriority: 1 },
      { key: 'refunded', hidePriority: 1 },
      { key: 'converted', wideOnly: true, hidePriority: 2 },
      { key: 'receiveTime', wideOnly: true, hidePriority: 2 },
      'state',
    ],
    list: {
      filters: ['kind', 'buildCode', 'balance', 'receiveTime', 'state'],
      barFilters: ['kind', 'buildCode'],
      views: [
        { id: '', name: '全部', filter: {} },
        { id: 'waiting', name: '待收', filter: { state: ['waiting'] } },
        { id: 'held', name: '在押', filter: { state: ['received', 'partRefunded'] } },
        { id: 'done', name: '已结清', filter: { state: ['refunded', 'toIncome', 'toPrestore'] } },
      ],
    },
    drawer: { width: 880 },
    detail: [
      {
        title: '押金',
        keys: [
          'depositNo',
          'kind',
          'roomName',
          'payerName',
          'amount',
          'balance',
          'refunding',
          'receiveTime',
          'deducted',
          'refunded',
          'converted',
          'remark',
        ],
      },
    ],
    tabs: [{ key: 'entries', label: '流水', inDrawer: true, body: d => <DepositEntries deposit={d} /> }],
  },
)
