import { labelOf } from '#kit/contract/field.ts'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { asFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { actionDialog, type ActionDialogProps } from '#kit/web/form/action-dialog.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import {
  BalanceRefundApprovers,
  MethodControl,
  TendersControl,
} from '#modules/payments/web/public.tenders.ts'
import { depositKind } from '../contract/choices.ts'
import { withdrawalRefusal } from '../domain/deposit.ts'
import {
  convertDeposit,
  deductDeposit,
  receiveDeposit,
  refundDeposit,
  type Deposit,
} from '../contract/deposit.ts'

const nameOf = (d: Deposit): string => `「${d.roomName} ${labelOf(depositKind, d.kind)}」`

const withBalance = (label: string) => (d: Deposit) =>
  `${label}${nameOf(d)}（结余 ${displayYuanWithSymbol(d.balance)}）`

const target = ({ id }: Deposit) => ({ id })

/** No more leaves than is left (C6.3). */
const balanceLimit = ({ amount }: { readonly amount?: number }, heldDeposit: Deposit): Faults | undefined => {
  const refusal = amount === undefined ? undefined : withdrawalRefusal(heldDeposit, asFen(amount))
  return refusal ? { amount: refusal } : undefined
}

const available = ({ balance, refunding }: Deposit): Fen => subtractFen(balance, refunding)

/** What can be done with the money of a deposit. */
const dialogs = {
  receive: actionDialog({
    call: receiveDeposit,
    submitLabel: '收取',
    title: (d: Deposit) => `收取${nameOf(d)} ${displayYuanWithSymbol(d.amount)}`,
    keys: [{ key: 'methods', control: TendersControl }],
    target,
    initial: d => ({ methods: [{ method: 'cash' as const, amount: d.amount }] }),
    doneText: d => `已收取 ${displayYuanWithSymbol(d.amount)}`,
  }),
  deduct: actionDialog({
    call: deductDeposit,
    submitLabel: '扣款',
    title: withBalance('扣款'),
    keys: ['amount', 'reason', { key: 'evidence', control: imagesControl }],
    target,
    rules: balanceLimit,
    doneText: () => '已扣款',
  }),
  refund: actionDialog({
    call: refundDeposit,
    submitLabel: '退还',
    title: withBalance('退还'),
    keys: ['amount', { key: 'method', label: '退还方式', control: MethodControl }, 'reason'],
    target,
    initial: d => ({ amount: available(d), method: 'cash' as const }),
    rules: balanceLimit,
    below: ({ amount, method }, { roomName, payerName }) => (
      <BalanceRefundApprovers
        subject="deposit"
        sourceName={roomName}
        payerName={payerName}
        amount={amount}
        method={method}
      />
    ),
    doneText: (_, { refundNo }) =>
      refundNo ? `退款 ${refundNo} 已提交审批，通过后退还` : '已退还，记在今天的收款记录中',
  }),
  convert: actionDialog({
    call: convertDeposit,
    submitLabel: '转出',
    title: withBalance('转出'),
    keys: ['to', 'amount', 'reason'],
    target,
    initial: d => ({ amount: available(d), to: 'prestore' as const }),
    rules: balanceLimit,
    doneText: () => '已转出',
    below: v => (
      <p>{v.to === 'income' ? '不再退还，成为公司收入，可在待开票中开票' : '进入该房屋的通用预存'}</p>
    ),
  }),
}

export type DepositMovement = keyof typeof dialogs

/** Moves money of a deposit one way. */
export function DepositDialog({
  movement,
  ...props
}: ActionDialogProps<Deposit, Deposit> & { readonly movement: DepositMovement }) {
  const Dialog = dialogs[movement]
  return <Dialog {...props} />
}
