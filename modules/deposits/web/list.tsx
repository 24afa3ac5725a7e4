import { useState } from 'react'
import { act, tellDone } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import type { Group } from '#kit/web/detail/detail-panel.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { KeptImages } from '#kit/web/kept-images.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import type { Permission } from '#kit/contract/call.ts'
import { printedReceipts } from '#modules/payments/contract/receipt.ts'
import { useReceipts } from '#modules/payments/web/public.ts'
import { depositState } from '../contract/choices.ts'
import {
  addDeposit,
  dropDeposit,
  exportDeposits,
  listDepositEntries,
  listDeposits,
  oneDeposit,
  type Deposit,
} from '../contract/deposit.ts'
import { outRefusal } from '../domain/deposit.ts'
import { menu } from '../module.ts'

const dialogs = () => import('./dialogs.tsx')
const ReceiveDialog = later(() => dialogs().then(m => m.ReceiveDialog))
const DeductDialog = later(() => dialogs().then(m => m.DeductDialog))
const RefundDialog = later(() => dialogs().then(m => m.RefundDialog))
const ConvertDialog = later(() => dialogs().then(m => m.ConvertDialog))

const shown = columns(listDeposits.output, [
  { key: 'depositNo', identity: true, width: 150 },
  'kind',
  { key: 'roomName', width: 116, grow: 1 },
  { key: 'payerName', width: 84, grow: 1, drop: 1 },
  'amount',
  'balance',
  { key: 'deducted', drop: 1 },
  { key: 'refunded', drop: 1 },
  { key: 'converted', roomy: true, drop: 2 },
  { key: 'receiveTime', roomy: true, drop: 2 },
  'state',
])

const entries = columns(listDepositEntries.output, [
  'entryType',
  'amount',
  'balanceAfter',
  'entryTime',
  { key: 'reason', width: 120, grow: 1 },
  {
    key: 'evidence',
    title: '凭证',
    width: 96,
    render: e => (e.evidence?.length ? <KeptImages of={e.evidence} /> : '--'),
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

const groups = [
  { keys: ['kind', { key: 'roomCode', wide: true }, 'amount', 'payerName', { key: 'remark', wide: true }] },
]

/** Its state stands in the head. */
const facts: readonly Group<Deposit>[] = [
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

const drop = (d: Deposit): Promise<boolean> =>
  danger({
    verb: '删除',
    what: '张押金单',
    count: 1,
    title: `删除待收押金 ${d.depositNo}`,
    sums: [
      ['房屋', d.roomName],
      ['金额', yuan(d.amount, true)],
    ],
    reason: { presets: ['登记有误', '不再装修'] },
    run: async reason => tellDone(await act(dropDeposit, { id: d.id, reason }, { quiet: true }), '已删除'),
  })

type What = 'receive' | 'deduct' | 'refund' | 'convert'

/** 押金管理 (C6.3). */
export default function DepositsPage() {
  const [open, setOpen] = useState<{ readonly what: What; readonly of: Deposit }>()
  const close = (): void => setOpen(undefined)
  const ask = (what: What, of: Deposit) => (): void => setOpen({ what, of })
  const receipts = useReceipts()
  const form = useEdit({ what: '押金', add: addDeposit, name: (d: Deposit) => d.depositNo, groups })
  const verbs = (d: Deposit): Verbs =>
    d.state === 'waiting'
      ? [
          { label: '收取', may: menu.deposit.may.receive, run: ask('receive', d) },
          { label: '删除', may: menu.deposit.may.del, danger: true, run: () => drop(d) },
        ]
      : ([
          { label: '退还', may: menu.deposit.may.refund, why: outRefusal(d), run: ask('refund', d) },
          {
            label: '打印押金收据',
            may: printedReceipts.needs as Permission,
            why: d.recordId ? undefined : '没有收款记录',
            run: () => receipts.open([d.recordId!]),
          },
          { label: '扣款', may: menu.deposit.may.deduct, why: outRefusal(d), run: ask('deduct', d) },
          {
            label: '转收入或预存',
            may: menu.deposit.may.convert,
            why: outRefusal(d),
            run: ask('convert', d),
          },
        ] as Verb[])
  return (
    <>
      <ListPage
        list={listDeposits}
        what="押金"
        columns={shown}
        filters={['kind', 'buildCode', 'balance', 'receiveTime', 'state']}
        bar={['kind', 'buildCode']}
        views={views}
        export={exportDeposits}
        primary={form.add}
        row={verbs}
        drawer={{
          title: d => `${d.roomName} ${d.depositNo}`,
          width: 880,
          status: d => <Choice of={depositState} value={d.state} />,
          one: oneDeposit,
          groups: facts,
          tabs: [
            {
              key: 'entries',
              label: () => '流水',
              body: d => (
                <ListPage
                  embedded
                  list={listDepositEntries}
                  what="押金流水"
                  columns={entries}
                  fixed={{ depositId: [String(d.id)] }}
                  filters={[]}
                />
              ),
            },
          ],
          history: 'deposit',
        }}
      />
      {form.dialog}
      {open?.what === 'receive' && (
        <ReceiveDialog
          of={open.of}
          onClose={close}
          onDone={d => {
            close()
            if (d.recordId) {
              receipts.open([d.recordId])
            }
          }}
        />
      )}
      {open?.what === 'deduct' && <DeductDialog of={open.of} onClose={close} />}
      {open?.what === 'refund' && <RefundDialog of={open.of} onClose={close} />}
      {open?.what === 'convert' && <ConvertDialog of={open.of} onClose={close} />}
      {receipts.dialog}
    </>
  )
}
