import { ref, type Field } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { BalanceRefundApprovers, MethodControl } from '#modules/payments/web/public.tenders.ts'
import { refundAccount, type PrestoreAccount } from '../contract/account.ts'
import { transferAccount } from '../contract/transfer.ts'
import { availableOf } from '../domain/balance.ts'
import './prestore.css'

const targetAccountField = ref('转入账户', 'asset', { required: true }) as Field

const AccountControl: Control = props => (
  <RefSelect
    field={targetAccountField}
    id={props.id}
    value={props.value}
    onChange={v => props.onChange(v ? Number(v) : undefined)}
    onBlur={props.onBlur}
    formValues={props.formValues}
    disabled={props.disabled}
    status={props.invalid ? 'error' : undefined}
    describedBy={props.describedBy}
  />
)

/** 预存退款: of the payer's own balance; gifts are not refundable (ACC-3). */
export const RefundDialog = actionDialog({
  call: refundAccount,
  title: (of: PrestoreAccount) =>
    `预存退款「${of.ownerName}」（可退 ${displayYuanWithSymbol(availableOf(of))}）`,
  submitLabel: '退款',
  keys: ['amount', { key: 'method', label: '退款方式', control: MethodControl }, 'reason'],
  target: ({ id }) => ({ id }),
  initial: account => ({ amount: availableOf(account), method: 'cash' as const }),
  rules: ({ amount }, account) =>
    amount > availableOf(account)
      ? { amount: `最多可退 ${displayYuan(availableOf(account))} 元，赠送余额不退` }
      : undefined,
  below: ({ amount, method }, { ownerName }) => (
    <BalanceRefundApprovers subject="prestore" sourceName={ownerName} amount={amount} method={method} />
  ),
  doneText: (_, { refundNo }) =>
    refundNo ? `退款 ${refundNo} 已提交审批，通过后退款` : '已退款，记在今天的收款记录中',
})

/** 转账 (ACC-11): at once between accounts of one payer; between payers after another person approves. */
export const TransferDialog = actionDialog({
  call: transferAccount,
  title: (of: PrestoreAccount) =>
    `从「${of.ownerName}」${of.feeItemName ?? ''}转出（可转 ${displayYuanWithSymbol(availableOf(of))}）`,
  submitLabel: '转账',
  keys: [{ key: 'toId', control: AccountControl }, 'amount', 'reason'],
  target: ({ id }) => ({ id }),
  context: ({ projectCode }) => ({ projectCode }),
  rules: ({ amount }, account) =>
    amount > availableOf(account)
      ? { amount: `最多可转 ${displayYuan(availableOf(account))} 元，赠送余额不能转` }
      : undefined,
  below: () => <p className="wizard-hint">两个账户的缴费人不同时提交转账单，由其他人审核后到账</p>,
  doneText: (_, { requestNo }) =>
    requestNo ? `缴费人不同，已提交转账单 ${requestNo}，待其他人审核` : '已转账',
})
