import { useMemo } from 'react'
import { tellDone } from '#kit/web/acts.ts'
import { pictures } from '#kit/web/controls/kinds.tsx'
import { yuan } from '#kit/web/figure.tsx'
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

interface Props {
  readonly of: Deposit
  readonly onClose: () => void
}

const called = (d: Deposit): string => `「${d.roomName} ${labelOf(depositKind, d.kind)}」`

/** What is asked may not exceed what is left (C6.3). */
const most =
  (d: Deposit) =>
  (v: unknown): Record<string, string> | undefined => {
    const n = (v as { amount?: number }).amount
    return n !== undefined && n > d.balance
      ? { amount: `押金结余 ${yuan(d.balance)} 元，不能超过它` }
      : undefined
  }

const takeGroups = [{ keys: [{ key: 'methods', control: TendersControl, wide: true }] }]

export function ReceiveDialog({ of: d, onClose, onDone }: Props & { readonly onDone: (d: Deposit) => void }) {
  const go = useSend(receiveDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id, methods: [{ method: 'cash' as const, amount: d.amount }] }), [d])
  return (
    <EditDialog
      of={receiveDeposit.input}
      title={`收取${called(d)} ${yuan(d.amount, true)}`}
      groups={takeGroups}
      initial={initial}
      words="收取"
      as="dialog"
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, `已收取 ${yuan(d.amount, true)}`)
        onDone(a as Deposit)
      }}
    />
  )
}

const cutGroups = [{ keys: ['amount', 'reason', { key: 'evidence', control: pictures, wide: true }] }]

export function DeductDialog({ of: d, onClose }: Props) {
  const go = useSend(deductDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id }), [d.id])
  return (
    <EditDialog
      of={deductDeposit.input}
      title={`扣款${called(d)}（结余 ${yuan(d.balance, true)}）`}
      groups={cutGroups}
      initial={initial}
      words="扣款"
      as="dialog"
      rules={most(d)}
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, '已扣款')
        onClose()
      }}
    />
  )
}

const backGroups = [
  { keys: ['amount', { key: 'method', label: '退还方式', control: MethodControl }, 'reason'] },
]

export function RefundDialog({ of: d, onClose, onDone }: Props & { readonly onDone?: () => void }) {
  const go = useSend(refundDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id, amount: d.balance, method: 'cash' as const }), [d])
  return (
    <EditDialog
      of={refundDeposit.input}
      title={`退还${called(d)}（结余 ${yuan(d.balance, true)}）`}
      groups={backGroups}
      initial={initial}
      words="退还"
      as="dialog"
      rules={most(d)}
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, '已退还，记在今天的收款记录里')
        ;(onDone ?? onClose)()
      }}
    />
  )
}

const moveGroups = [{ keys: ['to', 'amount', 'reason'] }]

export function ConvertDialog({ of: d, onClose }: Props) {
  const go = useSend(convertDeposit, { quiet: true })
  const initial = useMemo(() => ({ id: d.id, amount: d.balance, to: 'prestore' as const }), [d])
  return (
    <EditDialog
      of={convertDeposit.input}
      title={`转出${called(d)}（结余 ${yuan(d.balance, true)}）`}
      groups={moveGroups}
      initial={initial}
      words="转出"
      as="dialog"
      rules={most(d)}
      save={v => go.mutateAsync({ ...v, id: d.id })}
      onClose={onClose}
      onDone={a => {
        tellDone(a, '已转出')
        onClose()
      }}
      below={v => (
        <p>{v.to === 'income' ? '不再退还，成为公司收入，可在待开票里开票' : '进入该房屋的通用预存'}</p>
      )}
    />
  )
}
