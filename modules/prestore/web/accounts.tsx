import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { useReceipts } from '#modules/payments/web/public.ts'
import {
  editAccount,
  exportAccounts,
  listAccounts,
  getAccount,
  type PrestoreAccount,
} from '../contract/account.ts'
import { accountState } from '../contract/choices.ts'
import { availableOf } from '../domain/balance.ts'
import { menu } from '../module.ts'
import { batchDeductionRefusal, deductSelected, useDeduction, type Deduct } from './use-deduction.tsx'
import { useOnlineTopUp } from './online-top-up.tsx'

const loadDialogs = () => import('./account-dialogs.tsx')
const TopUpDialog = lazyComponent(() => import('./top-up-dialog.tsx').then(m => m.TopUpDialog))
const RefundDialog = lazyComponent(() => loadDialogs().then(m => m.RefundDialog))
const TransferDialog = lazyComponent(() => loadDialogs().then(m => m.TransferDialog))
const Entries = lazyComponent(() => import('./entries.tsx').then(m => m.Entries), <RowSkeleton rows={8} />)

const listColumns = buildColumns(listAccounts.output, [
  { key: 'ownerName', identity: true },
  'ownerKind',
  { key: 'feeItemName', width: 108 },
  'balance',
  'giftBalance',
  { key: 'refunding', wideOnly: true, hidePriority: 2 },
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

const groups: readonly DetailGroup<PrestoreAccount>[] = [
  {
    keys: [
      'accountNo',
      'ownerKind',
      'ownerName',
      'feeItemName',
      'balance',
      'giftBalance',
      'refunding',
      'autoDeduct',
      'warnBalance',
      'remark',
    ],
  },
]

interface OpenDialog {
  readonly kind: 'topUp' | 'refund' | 'transfer'
  readonly account?: PrestoreAccount
}

const heldReason = (account: PrestoreAccount): string | undefined => {
  if (account.state === 'open') return undefined
  return account.state === 'frozen' ? '账户已冻结，请先解冻' : '账户已销户'
}

const withdrawalRefusal = (account: PrestoreAccount): string | undefined =>
  heldReason(account) ?? (availableOf(account) > 0 ? undefined : '无可用余额')

interface AccountActionTools {
  readonly openDialog: (dialog: OpenDialog) => void
  readonly deduct: Deduct
  readonly online: ReturnType<typeof useOnlineTopUp>
}

const moneyActionsOf = (
  account: PrestoreAccount,
  { openDialog, deduct, online }: AccountActionTools,
): Actions => [
  {
    label: '充值',
    needs: menu.account.permissions.topUp,
    disabledReason: heldReason(account),
    run: () => openDialog({ kind: 'topUp', account }),
  },
  online.open && {
    label: '扫码充值',
    needs: menu.account.permissions.topUp,
    disabledReason: heldReason(account),
    run: () => online.start(account),
  },
  account.ownerKind === 'room' && {
    label: '冲抵',
    needs: menu.account.permissions.deduct,
    disabledReason: heldReason(account) ?? (account.balance + account.giftBalance > 0 ? undefined : '无余额'),
    run: () => deduct(account.projectCode, [account.ownerCode], `「${account.ownerName}」`),
  },
  {
    label: '退款',
    needs: menu.account.permissions.refund,
    disabledReason: withdrawalRefusal(account),
    run: () => openDialog({ kind: 'refund', account }),
  },
  {
    label: '转账',
    needs: menu.account.permissions.transfer,
    disabledReason: withdrawalRefusal(account),
    run: () => openDialog({ kind: 'transfer', account }),
  },
]

const freezeActionOf = (account: PrestoreAccount): Actions[number] =>
  account.state !== 'closed' && {
    label: account.state === 'frozen' ? '解冻' : '冻结',
    needs: menu.account.permissions.freeze,
    danger: account.state !== 'frozen',
    run: async () => (await import('./freeze-account.ts')).confirmFreeze(account),
  }

interface AccountDialogsProps {
  readonly dialog: OpenDialog | undefined
  readonly onClose: () => void
  readonly onToppedUp: (recordId: Id) => void
}

function AccountDialogs({ dialog, onClose, onToppedUp }: AccountDialogsProps) {
  if (dialog?.kind === 'topUp')
    return <TopUpDialog of={dialog.account} onClose={onClose} onDone={onToppedUp} />
  if (dialog?.kind === 'refund') return <RefundDialog record={defined(dialog.account)} onClose={onClose} />
  return dialog && <TransferDialog record={defined(dialog.account)} onClose={onClose} />
}

/** 预存账户: what is kept for each owner, in general and for single fee items (C6.2). */
export default function AccountsPage() {
  const project = useProject()
  const receipts = useReceipts()
  const [dialog, setDialog] = useState<OpenDialog>()
  const deduction = useDeduction()
  const online = useOnlineTopUp(recordId => receipts.open([recordId]))
  const form = useEdit({
    itemName: '预存账户',
    edit: editAccount,
    isRowComplete: true,
    nameOf: (account: PrestoreAccount) => account.ownerName,
    groups: [{ keys: ['autoDeduct', { key: 'warnBalance', help: '不填按预存设置' }, 'remark'] }],
  })
  const rowActions = (account: PrestoreAccount): Actions => [
    ...moneyActionsOf(account, { openDialog: setDialog, deduct: deduction.deduct, online }),
    form.editAction(account),
    freezeActionOf(account),
  ]
  const close = (): void => setDialog(undefined)
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
        rowActions={rowActions}
        primaryAction={{
          label: '充值',
          needs: menu.account.permissions.topUp,
          run: () => setDialog({ kind: 'topUp' }),
        }}
        toolbarActions={[
          project
            ? {
                label: '立即冲抵',
                needs: menu.account.permissions.deduct,
                run: () => deduction.deduct(project, undefined, '本项目有余额的房间'),
              }
            : undefined,
        ]}
        batchActions={[
          {
            label: '冲抵',
            needs: menu.account.permissions.deduct,
            disabledReason: ({ rows }) => batchDeductionRefusal(rows),
            run: ({ rows }) => deductSelected(deduction.deduct, rows),
          },
        ]}
        drawer={{
          title: account => account.ownerName,
          width: 880,
          status: account => <ChoiceStatus choices={accountState} value={account.state} />,
          loadCall: getAccount,
          groups,
          tabs: [
            {
              key: 'entries',
              label: () => '流水',
              body: account => <Entries embedded fixed={{ accountId: [String(account.id)] }} />,
            },
          ],
          historyEntity: 'asset',
        }}
      />
      {form.dialog}
      {online.dialog}
      <AccountDialogs
        dialog={dialog}
        onClose={close}
        onToppedUp={recordId => {
          close()
          receipts.open([recordId])
        }}
      />
      {deduction.dialog}
      {receipts.dialog}
    </>
  )
}
