import type { Id } from '#kit/domain/id.ts'
import { useMemo, type ComponentType, type ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { labelOf } from '#kit/contract/field.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { useSend } from '#kit/web/query.ts'
import { MethodControl, TendersControl } from '#modules/payments/web/public.ts'
import { depositKind } from '../contract/choices.ts'
import {
  convertDeposit,
  deductDeposit,
  receiveDeposit,
  refundDeposit,
  type Deposit,
} from '../contract/deposit.ts'

/** What can be done with the money of a deposit. */
export type DepositMovement = 'receive' | 'deduct' | 'refund' | 'convert'

interface DepositDialogProps {
  readonly deposit: Deposit
  readonly onClose: () => void
  /** With the deposit as it is then; the dialog closes unless said. */
  readonly onDone?: (d: Deposit) => void
}

interface MovementForm<I> {
  readonly call: Call<I, Deposit>
  readonly label: string
  readonly title: (d: Deposit, name: string) => string
  readonly keys: FormFieldGroup['keys']
  readonly initial?: (d: Deposit) => Partial<I>
  readonly rules?: (d: Deposit) => (values: Partial<I>) => Faults | undefined
  readonly doneText: (d: Deposit) => string
  readonly below?: (values: Partial<I>) => ReactNode
}

const withBalance = (label: string) => (d: Deposit, name: string) =>
  `${label}${name}（结余 ${displayYuan(d.balance, true)}）`

/** No more leaves than is left (C6.3). */
const balanceLimit =
  ({ balance }: Deposit) =>
  ({ amount }: { readonly amount?: number }): Faults | undefined =>
    amount !== undefined && amount > balance
      ? { amount: `不能超过押金结余 ${displayYuan(balance)} 元` }
      : undefined

const movementDialog = <I extends { readonly id: Id }>(
  form: MovementForm<I>,
): ComponentType<DepositDialogProps> =>
  function MovementDialog({ deposit: d, onClose, onDone = onClose }) {
    const { call, label, title, keys, rules, below, doneText } = form
    const sending = useSend(call, { quiet: true })
    const initial = useMemo(() => ({ id: d.id, ...form.initial?.(d) }), [d])
    const groups = useMemo(() => [{ keys }], [keys])
    return (
      <EditDialog<I>
        shape={call.input}
        title={title(d, `「${d.roomName} ${labelOf(depositKind, d.kind)}」`)}
        groups={groups}
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- part of every input
        initial={initial as Partial<I>}
        submitLabel={label}
        presentation="dialog"
        {...(rules ? { rules: rules(d) } : {})}
        {...(below ? { below } : {})}
        save={v => sending.mutateAsync({ ...v, id: d.id })}
        onClose={onClose}
        onDone={answer => {
          toastResult(answer, doneText(d))
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer of `save`
          onDone(answer as Deposit)
        }}
      />
    )
  }

const dialogs: Readonly<Record<DepositMovement, ComponentType<DepositDialogProps>>> = {
  receive: movementDialog({
    call: receiveDeposit,
    label: '收取',
    title: (d, name) => `收取${name} ${displayYuan(d.amount, true)}`,
    keys: [{ key: 'methods', control: TendersControl, wide: true }],
    initial: d => ({ methods: [{ method: 'cash' as const, amount: d.amount }] }),
    doneText: d => `已收取 ${displayYuan(d.amount, true)}`,
  }),
  deduct: movementDialog({
    call: deductDeposit,
    label: '扣款',
    title: withBalance('扣款'),
    keys: ['amount', 'reason', { key: 'evidence', control: imagesControl, wide: true }],
    rules: balanceLimit,
    doneText: () => '已扣款',
  }),
  refund: movementDialog({
    call: refundDeposit,
    label: '退还',
    title: withBalance('退还'),
    keys: ['amount', { key: 'method', label: '退还方式', control: MethodControl }, 'reason'],
    initial: d => ({ amount: d.balance, method: 'cash' as const }),
    rules: balanceLimit,
    doneText: () => '已退还，记在今天的收款记录里',
  }),
  convert: movementDialog({
    call: convertDeposit,
    label: '转出',
    title: withBalance('转出'),
    keys: ['to', 'amount', 'reason'],
    initial: d => ({ amount: d.balance, to: 'prestore' as const }),
    rules: balanceLimit,
    doneText: () => '已转出',
    below: v => (
      <p>{v.to === 'income' ? '不再退还，成为公司收入，可在待开票里开票' : '进入该房屋的通用预存'}</p>
    ),
  }),
}

/** Moves money of a deposit one way. */
export function DepositDialog({
  movement,
  ...props
}: DepositDialogProps & { readonly movement: DepositMovement }) {
  const Dialog = dialogs[movement]
  return <Dialog {...props} />
}
