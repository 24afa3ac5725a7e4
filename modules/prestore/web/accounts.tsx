import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirm, confirmDanger } from '#kit/web/confirm.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { RowSkeleton } from '#kit/web/list/list-states.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { useReceipts } from '#modules/payments/web/public.ts'
import {
  deductRooms,
  editAccount,
  freezeAccount,
  listAccounts,
  getAccount,
  type PrestoreAccount,
} from '../contract/account.ts'
import { accountState } from '../contract/choices.ts'
import { exportAccounts } from '../contract/summary.ts'
import { menu } from '../module.ts'
import type { DeductionResult } from './deduction-result.tsx'
import { useOnlineTopUp } from './online-top-up.tsx'

const loadDialogs = () => import('./account-dialogs.tsx')
const TopUpDialog = lazyComponent(() => import('./top-up-dialog.tsx').then(m => m.TopUpDialog))
const RefundDialog = lazyComponent(() => loadDialogs().then(m => m.RefundDialog))
const TransferDialog = lazyComponent(() => loadDialogs().then(m => m.TransferDialog))
const DeductionResultDialog = lazyComponent(() =>
  import('./deduction-result.tsx').then(m => m.DeductionResultDialog),
)
const Entries = lazyComponent(() => import('./entries.tsx').then(m => m.Entries), <RowSkeleton rows={8} />)

const listColumns = buildColumns(listAccounts.output, [
  { key: 'ownerName', identity: true },
  'ownerKind',
  { key: 'feeItemName', width: 108 },
  'balance',
  'giftBalance',
  'autoDeduct',
  { key: 'accountNo', hidePriority: 1 },
  { key: 'createTime', title: '开户时间', hidePriority: 2 },
  { key: 'remark', hiddenByDefault: true },
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

const confirmFreeze = (a: PrestoreAccount): Promise<boolean> =>
  confirmDanger({
    actionLabel: a.state === 'frozen' ? '解冻' : '冻结',
    unit: '个账户',
    count: 1,
    title: `${a.state === 'frozen' ? '解冻' : '冻结'}「${a.ownerName}」的预存`,
    affectedSums: [
      ['余额', displayYuan(a.balance, true)],
      ['赠送余额', displayYuan(a.giftBalance, true)],
    ],
    consequences: [
      a.state === 'frozen' ? '恢复充值、退款、转账与冲抵' : '不能充值、退款、转账，也不会自动冲抵',
    ],
    reason: { presets: ['有争议', '业主要求'] },
    run: async reason =>
      toastResult(
        await sendAndInvalidate(
          freezeAccount,
          { id: a.id, frozen: a.state !== 'frozen', reason },
          { quiet: true },
        ),
        a.state === 'frozen' ? '已解冻' : '已冻结',
      ),
  })

type OpenDialog = { readonly what: 'topUp' | 'refund' | 'transfer'; readonly of?: PrestoreAccount }

/** 预存账户: what lies with us, for whom and for what (C6.2). */
export default function AccountsPage() {
  const project = useProject()
  const receipts = useReceipts()
  const [open, setOpen] = useState<OpenDialog>()
  const [deducted, tell] = useState<DeductionResult>()
  const close = (): void => setOpen(undefined)
  const form = useEdit({
    itemName: '预存账户',
    edit: editAccount,
    isRowComplete: true,
    nameOf: (a: PrestoreAccount) => a.ownerName,
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
        okLabel: '冲抵',
      }))
    )
      return false
    try {
      tell(
        await sendAndInvalidate(deductRooms, {
          projectCode,
          ...(codes ? { roomCodes: codes } : {}),
        }),
      )
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
  const verbs = (a: PrestoreAccount): Actions => [
    {
      label: '充值',
      needs: menu.account.permissions.topUp,
      disabledReason: held(a),
      run: () => setOpen({ what: 'topUp', of: a }),
    },
    online.open && {
      label: '扫码充值',
      needs: menu.account.permissions.topUp,
      disabledReason: held(a),
      run: () => online.start(a),
    },
    a.ownerKind === 'room' && {
      label: '冲抵',
      needs: menu.account.permissions.deduct,
      disabledReason: held(a) ?? (a.balance + a.giftBalance > 0 ? undefined : '没有余额'),
      run: () => deduct(a.projectCode, [a.ownerCode], `「${a.ownerName}」`),
    },
    {
      label: '退款',
      needs: menu.account.permissions.refund,
      disabledReason: own(a),
      run: () => setOpen({ what: 'refund', of: a }),
    },
    {
      label: '转账',
      needs: menu.account.permissions.transfer,
      disabledReason: own(a),
      run: () => setOpen({ what: 'transfer', of: a }),
    },
    form.editAction(a),
    a.state !== 'closed' && {
      label: a.state === 'frozen' ? '解冻' : '冻结',
      needs: menu.account.permissions.freeze,
      danger: a.state !== 'frozen',
      run: () => confirmFreeze(a),
    },
  ]
  return (
    <>
      <ListPage
        list={listAccounts}
        itemName="预存账户"
        keywordPlaceholder="账户号/主体名称"
        columns={listColumns}
        filters={['ownerKind', 'state', 'autoDeduct', 'balance', 'buildCode']}
        barFilters={['ownerKind', 'buildCode']}
        views={views}
        export={exportAccounts}
        rowActions={verbs}
        isDimmed={a => a.state === 'closed'}
        primaryAction={{
          label: '充值',
          needs: menu.account.permissions.topUp,
          run: () => setOpen({ what: 'topUp' }),
        }}
        toolbarActions={[
          project
            ? {
                label: '立即冲抵',
                needs: menu.account.permissions.deduct,
                run: () => deduct(project, undefined, '本项目有余额的房间'),
              }
            : undefined,
        ]}
        batchActions={[
          {
            label: '冲抵',
            needs: menu.account.permissions.deduct,
            disabledReason: t =>
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
          status: a => <ChoiceStatus choices={accountState} value={a.state} />,
          loadCall: getAccount,
          groups,
          tabs: [
            {
              key: 'entries',
              label: () => '流水',
              body: a => <Entries embedded fixed={{ accountId: [String(a.id)] }} />,
            },
          ],
          historyEntity: 'asset',
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
      {open?.what === 'refund' && <RefundDialog of={defined(open.of)} onClose={close} />}
      {open?.what === 'transfer' && <TransferDialog of={defined(open.of)} onClose={close} />}
      {deducted && <DeductionResultDialog of={deducted} onClose={() => tell(undefined)} />}
      {receipts.dialog}
    </>
  )
}
