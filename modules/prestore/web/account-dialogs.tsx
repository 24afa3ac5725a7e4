import { useMemo } from 'react'
import { ref, type Field } from '#kit/contract/field.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { MethodControl } from '#modules/payments/web/public.ts'
import { refundAccount, type PrestoreAccount } from '../contract/account.ts'
import { transferAccount } from '../contract/transfer.ts'
import './prestore.css'

const targetAccountField = ref('转入账户', 'asset', { required: true }) as Field

const AccountControl: Control = p => (
  <RefSelect
    field={targetAccountField}
    id={p.id}
    value={p.value}
    onChange={v => p.onChange(v ? Number(v) : undefined)}
    onBlur={p.onBlur}
    formValues={p.formValues}
    disabled={p.disabled}
    status={p.invalid ? 'error' : undefined}
    describedBy={p.describedBy}
  />
)

const refundGroups = [
  { keys: ['amount', { key: 'method', label: '退款方式', control: MethodControl }, 'reason'] },
]

/** 预存退款: of the payer's own balance; gifts are not refundable (ACC-3). */
export function RefundDialog({
  of: account,
  onClose,
}: {
  readonly of: PrestoreAccount
  readonly onClose: () => void
}) {
  const refund = useSend(refundAccount, { quiet: true })
  const initial = useMemo(
    () => ({ id: account.id, amount: account.balance, method: 'cash' as const }),
    [account],
  )
  return (
    <EditDialog
      shape={refundAccount.input}
      title={`预存退款「${account.ownerName}」（可退 ${displayYuan(account.balance, true)}）`}
      groups={refundGroups}
      initial={initial}
      submitLabel="退款"
      presentation="dialog"
      rules={v => {
        const n = (v as { amount?: number }).amount
        return n !== undefined && n > account.balance
          ? { amount: `最多可退 ${displayYuan(account.balance)} 元，赠送余额不退` }
          : undefined
      }}
      save={v => refund.mutateAsync({ ...v, id: account.id })}
      onClose={onClose}
      onDone={x => {
        toastResult(x, '已退款，记在今天的收款记录里')
        onClose()
      }}
    />
  )
}

const transferGroups = [{ keys: [{ key: 'toId', control: AccountControl }, 'amount', 'reason'] }]

/** 转账 (ACC-11): at once between accounts of one payer; between payers after another person approves. */
export function TransferDialog({
  of: account,
  onClose,
}: {
  readonly of: PrestoreAccount
  readonly onClose: () => void
}) {
  const transfer = useSend(transferAccount, { quiet: true })
  const initial = useMemo(() => ({ id: account.id, projectCode: account.projectCode }), [account])
  return (
    <EditDialog
      shape={transferAccount.input}
      title={`从「${account.ownerName}」${account.feeItemName ?? ''}转出（余额 ${displayYuan(account.balance, true)}）`}
      groups={transferGroups}
      initial={initial}
      submitLabel="转账"
      presentation="dialog"
      rules={v => {
        const n = (v as { amount?: number }).amount
        return n !== undefined && n > account.balance
          ? { amount: `最多可转 ${displayYuan(account.balance)} 元，赠送余额不能转` }
          : undefined
      }}
      save={v => transfer.mutateAsync({ ...v, id: account.id })}
      onClose={onClose}
      below={() => <p className="wizard-hint">两个账户的缴费人不同时提交转账单，由其他人审核后到账</p>}
      onDone={x => {
        const requestNo = (x as { requestNo?: string }).requestNo
        toast.success(requestNo ? `缴费人不同，已提交转账单 ${requestNo}，等其他人审核` : '已转账')
        onClose()
      }}
    />
  )
}
