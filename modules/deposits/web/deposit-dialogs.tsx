import { useMemo, type ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { labelOf } from '#kit/contract/field.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
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

interface MovementForm {
  readonly call: Call<any, any>
  readonly label: string
  readonly title: (d: Deposit, label: string) => string
  readonly keys: FormFieldGroup['keys']
  readonly initial?: (d: Deposit) => object
  readonly doneText: (d: Deposit) => string
  readonly below?: (values: { readonly to?: string }) => ReactNode
}

const withBalance = (label: string) => (d: Deposit, name: string) =>
  `${label}${name}（结余 ${displayYuan(d.balance, true)}）`

const forms: Readonly<Record<DepositMovement, MovementForm>> = {
  receive: {
    call: receiveDeposit,
    label: '收取',
    title: (d, name) => `收取${name} ${displayYuan(d.amount, true)}`,
    keys: [{ key: 'methods', control: TendersControl, wide: true }],
    initial: d => ({ methods: [{ method: 'cash', amount: d.amount }] }),
    doneText: d => `已收取 ${displayYuan(d.amount, true)}`,
  },
  deduct: {
    call: deductDeposit,
    label: '扣款',
    title: withBalance('扣款'),
    keys: ['amount', 'reason', { key: 'evidence', control: imagesControl, wide: true }],
    doneText: () => '已扣款',
  },
  refund: {
    call: refundDeposit,
    label: '退还',
    title: withBalance('退还'),
    keys: ['amount', { key: 'method', label: '退还方式', control: MethodControl }, 'reason'],
    initial: d => ({ amount: d.balance, method: 'cash' }),
    doneText: () => '已退还，记在今天的收款记录里',
  },
  convert: {
    call: convertDeposit,
    label: '转出',
    title: withBalance('转出'),
    keys: ['to', 'amount', 'reason'],
    initial: d => ({ amount: d.balance, to: 'prestore' }),
    doneText: () => '已转出',
    below: v => (
      <p>{v.to === 'income' ? '不再退还，成为公司收入，可在待开票里开票' : '进入该房屋的通用预存'}</p>
    ),
  },
}

/** What is asked may not exceed what is left (C6.3). */
const checkBalanceLimit =
  (d: Deposit) =>
  (v: { readonly amount?: number }): Record<string, string> | undefined =>
    v.amount !== undefined && v.amount > d.balance
      ? { amount: `押金结余 ${displayYuan(d.balance)} 元，不能超过它` }
      : undefined

interface DepositDialogProps {
  readonly movement: DepositMovement
  readonly of: Deposit
  readonly onClose: () => void
  /** Of the deposit as it is then; the dialog closes unless said. */
  readonly onDone?: (d: Deposit) => void
}

export function DepositDialog({ movement, of: d, onClose, onDone }: DepositDialogProps) {
  const form = forms[movement]
  const go = useSend(form.call, { quiet: true })
  const initial = useMemo(() => ({ id: d.id, ...form.initial?.(d) }), [d, form])
  const groups = useMemo(() => [{ keys: form.keys }], [form])
  return (
    <EditDialog<any>
      shape={form.call.input}
      title={form.title(d, `「${d.roomName} ${labelOf(depositKind, d.kind)}」`)}
      groups={groups}
      initial={initial}
      submitLabel={form.label}
      presentation="dialog"
      {...(movement === 'receive' ? {} : { rules: checkBalanceLimit(d) })}
      {...(form.below ? { below: form.below } : {})}
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, form.doneText(d))
        if (onDone) {
          onDone(a as Deposit)
        } else {
          onClose()
        }
      }}
    />
  )
}
