import { useMemo } from 'react'
import { toastResult } from '#kit/web/record-actions.ts'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { labelOf } from '#kit/contract/field.ts'
import { MethodControl, TendersControl } from '#modules/payments/web/public.ts'
import { depositKind } from '../contract/choices.ts'
import {
  convertDeposit,
  deductDeposit,
  receiveDeposit,
  refundDeposit,
  type Deposit,
} from '../contract/deposit.ts'

interface DialogProps {
  readonly of: Deposit
  readonly onClose: () => void
}

const depositLabel = (d: Deposit): string => `「${d.roomName} ${labelOf(depositKind, d.kind)}」`

/** What is asked may not exceed what is left (C6.3). */
const checkBalanceLimit =
  (d: Deposit) =>
  (v: unknown): Record<string, string> | undefined => {
    const n = (v as { amount?: number }).amount
    return n !== undefined && n > d.balance
      ? { amount: `押金结余 ${displayYuan(d.balance)} 元，不能超过它` }
      : undefined
  }

const receiveGroups = [{ keys: [{ key: 'methods', control: TendersControl, wide: true }] }]

export function ReceiveDialog({
  of: d,
  onClose,
  onDone,
}: DialogProps & { readonly onDone: (d: Deposit) => void }) {
  const go = useSend(receiveDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id, methods: [{ method: 'cash' as const, amount: d.amount }] }), [d])
  return (
    <EditDialog
      shape={receiveDeposit.input}
      title={`收取${depositLabel(d)} ${displayYuan(d.amount, true)}`}
      groups={receiveGroups}
      initial={initial}
      submitLabel="收取"
      presentation="dialog"
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, `已收取 ${displayYuan(d.amount, true)}`)
        onDone(a as Deposit)
      }}
    />
  )
}

const deductGroups = [{ keys: ['amount', 'reason', { key: 'evidence', control: imagesControl, wide: true }] }]

export function DeductDialog({ of: d, onClose }: DialogProps) {
  const go = useSend(deductDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id }), [d.id])
  return (
    <EditDialog
      shape={deductDeposit.input}
      title={`扣款${depositLabel(d)}（结余 ${displayYuan(d.balance, true)}）`}
      groups={deductGroups}
      initial={initial}
      submitLabel="扣款"
      presentation="dialog"
      rules={checkBalanceLimit(d)}
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, '已扣款')
        onClose()
      }}
    />
  )
}

const refundGroups = [
  { keys: ['amount', { key: 'method', label: '退还方式', control: MethodControl }, 'reason'] },
]

export function RefundDialog({ of: d, onClose, onDone }: DialogProps & { readonly onDone?: () => void }) {
  const go = useSend(refundDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id, amount: d.balance, method: 'cash' as const }), [d])
  return (
    <EditDialog
      shape={refundDeposit.input}
      title={`退还${depositLabel(d)}（结余 ${displayYuan(d.balance, true)}）`}
      groups={refundGroups}
      initial={initial}
      submitLabel="退还"
      presentation="dialog"
      rules={checkBalanceLimit(d)}
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, '已退还，记在今天的收款记录里')
        ;(onDone ?? onClose)()
      }}
    />
  )
}

const convertGroups = [{ keys: ['to', 'amount', 'reason'] }]

export function ConvertDialog({ of: d, onClose }: DialogProps) {
  const go = useSend(convertDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id, amount: d.balance, to: 'prestore' as const }), [d])
  return (
    <EditDialog
      shape={convertDeposit.input}
      title={`转出${depositLabel(d)}（结余 ${displayYuan(d.balance, true)}）`}
      groups={convertGroups}
      initial={initial}
      submitLabel="转出"
      presentation="dialog"
      rules={checkBalanceLimit(d)}
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, '已转出')
        onClose()
      }}
      below={v => (
        <p>{v.to === 'income' ? '不再退还，成为公司收入，可在待开票里开票' : '进入该房屋的通用预存'}</p>
      )}
    />
  )
}
