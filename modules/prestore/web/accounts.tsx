import { useState } from 'react'
import { act, tellDone } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { confirm, danger } from '#kit/web/confirm.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Skeleton } from '#kit/web/list/states.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { useReceipts } from '#modules/payments/web/public.ts'
import {
  deductRooms,
  editAccount,
  freezeAccount,
  listAccounts,
  oneAccount,
  type PrestoreAccount,
} from '../contract/account.ts'
import { accountState } from '../contract/choices.ts'
import { exportAccounts } from '../contract/summary.ts'
import { menu } from '../module.ts'
import type { Deducted } from './account-dialogs.tsx'
import { useOnlineTopUp } from './online.tsx'

const dialogs = () => import('./account-dialogs.tsx')
const TopUpDialog = later(() => dialogs().then(m => m.TopUpDialog))
const RefundDialog = later(() => dialogs().then(m => m.RefundDialog))
const TransferDialog = later(() => dialogs().then(m => m.TransferDialog))
const DeductedDialog = later(() => dialogs().then(m => m.DeductedDialog))
const Entries = later(() => import('./entries.tsx').then(m => m.Entries), <Skeleton rows={8} />)

const shown = columns(listAccounts.output, [
  { key: 'ownerName', identity: true },
  'ownerKind',
  { key: 'feeItemName', width: 108 },
  'balance',
  'giftBalance',
  'autoDeduct',
  { key: 'accountNo', drop: 1 },
  { key: 'createTime', title: '开户时间', drop: 2 },
  { key: 'remark', aside: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'has', name: '有余额', filter: { balanceFrom: 1 } },
  { id: 'none', name: '无余额', filter: { balanceTo: 0 } },
  { id: 'low', name: '余额不足', filter: { low: true } },
  { id: 'frozen', name: '已冻结', filter: { state: ['frozen'] } },
]

const groups = [
  {
    keys: [
      'accountNo',
      'ownerKind',
      'ownerName',
      'feeItemName',
      'balance',
      'giftBalance',
      'autoDeduct',
      'warnBalance',
      { key: 'remark', wide: true },
    ],
  },
] as never

const asksFor = (a: PrestoreAccount): Promise<boolean> =>
  danger({
    verb: a.state === 'frozen' ? '解冻' : '冻结',
    what: '个账户',
    count: 1,
    title: `${a.state === 'frozen' ? '解冻' : '冻结'}「${a.ownerName}」的预存`,
    sums: [
      ['余额', yuan(a.balance, true)],
      ['赠送余额', yuan(a.giftBalance, true)],
    ],
    follows: [a.state === 'frozen' ? '恢复充值、退款、转账与冲抵' : '不能充值、退款、转账，也不会自动冲抵'],
    reason: { presets: ['有争议', '业主要求'] },
    run: async reason =>
      tellDone(
        await act(freezeAccount, { id: a.id, frozen: a.state !== 'frozen', reason }, { quiet: true }),
        a.state === 'frozen' ? '已解冻' : '已冻结',
      ),
  })

type Open = { readonly what: 'topUp' | 'refund' | 'transfer'; readonly of?: PrestoreAccount }

/** 预存账户: what lies with us, for whom and for what (C6.2). */
export default function AccountsPage() {
  const project = useProject()
  const receipts = useReceipts()
  const [open, setOpen] = useState<Open>()
  const [deducted, tell] = useState<Deducted>()
  const close = (): void => setOpen(undefined)
  const form = useEdit({
    what: '预存账户',
    edit: editAccount,
    rowIsWhole: true,
    name: (a: PrestoreAccount) => a.ownerName,
    groups: [
      { keys: ['autoDeduct', { key: 'warnBalance', help: '不填按预存设置' }, { key: 'remark', wide: true }] },
    ],
  })
  const deduct = async (
    projectCode: string,
    codes: readonly string[] | undefined,
    what: string,
  ): Promise<boolean> => {
    if (
      !(await confirm({
        title: '预存冲抵',
        text: `用预存缴清${what}的账单：专用账户在前，通用在后，最早到期的先缴`,
        ok: '冲抵',
      }))
    )
      return false
    try {
      tell(await act(deductRooms, { projectCode, ...(codes ? { roomCodes: codes } : {}) } as never))
      return true
    } catch {
      return false /* told in a toast */
    }
  }
  const held = (a: PrestoreAccount): string | undefined =>
    a.state === 'open' ? undefined : a.state === 'frozen' ? '账户已冻结，请先解冻' : '账户已销户'
  const own = (a: PrestoreAccount): string | undefined =>
    held(a) ?? (a.balance > 0 ? undefined : '没有可用的余额')
  const online = useOnlineTopUp(id => receipts.open([id]))
  const verbs = (a: PrestoreAccount): Verbs => [
    {
      label: '充值',
      may: menu.account.may.topUp,
      why: held(a),
      run: () => setOpen({ what: 'topUp', of: a }),
    },
    online.open &&
      ({ label: '扫码充值', may: menu.account.may.topUp, why: held(a), run: () => online.start(a) } as Verb),
    a.ownerKind === 'room' &&
      ({
        label: '冲抵',
        may: menu.account.may.deduct,
        why: held(a) ?? (a.balance + a.giftBalance > 0 ? undefined : '没有余额'),
        run: () => deduct(a.projectCode, [a.ownerCode], `「${a.ownerName}」`),
      } as Verb),
    {
      label: '退款',
      may: menu.account.may.refund,
      why: own(a),
      run: () => setOpen({ what: 'refund', of: a }),
    },
    {
      label: '转账',
      may: menu.account.may.transfer,
      why: own(a),
      run: () => setOpen({ what: 'transfer', of: a }),
    },
    form.edit(a),
    a.state !== 'closed' &&
      ({
        label: a.state === 'frozen' ? '解冻' : '冻结',
        may: menu.account.may.freeze,
        danger: a.state !== 'frozen',
        run: () => asksFor(a),
      } as Verb),
  ]
  return (
    <>
      <ListPage
        list={listAccounts}
        what="预存账户"
        sought="账户号/主体名称"
        columns={shown}
        filters={['ownerKind', 'state', 'autoDeduct', 'balance', 'buildCode']}
        bar={['ownerKind', 'buildCode']}
        views={views}
        export={exportAccounts}
        row={verbs}
        dim={a => a.state === 'closed'}
        primary={{ label: '充值', may: menu.account.may.topUp, run: () => setOpen({ what: 'topUp' }) }}
        tools={[
          project
            ? {
                label: '立即冲抵',
                may: menu.account.may.deduct,
                run: () => deduct(project, undefined, '本项目有余额的房间'),
              }
            : undefined,
        ]}
        batch={[
          {
            label: '冲抵',
            may: menu.account.may.deduct,
            why: t =>
              t.rows.some(a => a.ownerKind !== 'room')
                ? '只有房屋账户可以批量冲抵'
                : new Set(t.rows.map(a => a.projectCode)).size > 1
                  ? '请只勾选同一个项目的账户'
                  : undefined,
            run: t =>
              t.rows[0]
                ? deduct(
                    t.rows[0].projectCode,
                    [...new Set(t.rows.map(a => a.ownerCode))],
                    `勾选的 ${t.rows.length} 个账户`,
                  )
                : undefined,
          },
        ]}
        drawer={{
          title: a => a.ownerName,
          width: 880,
          status: a => <Choice of={accountState} value={a.state} />,
          one: oneAccount,
          groups,
          tabs: [
            {
              key: 'entries',
              label: () => '流水',
              body: a => <Entries embedded fixed={{ accountId: [String(a.id)] }} />,
            },
          ],
          history: 'asset',
        }}
      />
      {form.dialog}
      {online.dialog}
      {open?.what === 'topUp' && (
        <TopUpDialog
          of={open.of}
          onClose={close}
          onDone={id => {
            close()
            receipts.open([id])
          }}
        />
      )}
      {open?.what === 'refund' && <RefundDialog of={open.of!} onClose={close} />}
      {open?.what === 'transfer' && <TransferDialog of={open.of!} onClose={close} />}
      {deducted && <DeductedDialog of={deducted} onClose={() => tell(undefined)} />}
      {receipts.dialog}
    </>
  )
}
