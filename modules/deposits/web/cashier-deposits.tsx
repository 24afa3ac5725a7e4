import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import type { Id } from '#kit/domain/id.ts'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { sumFen } from '#kit/domain/money.ts'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { Empty, Skeleton } from '#kit/web/page-feedback.tsx'
import { LoadFailure } from '#kit/web/page-error.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { CashierExtensionProps } from '#modules/payments/web/public.ts'
import { TendersControl } from '#modules/payments/web/public.tenders.ts'
import { depositKind, depositState } from '../contract/choices.ts'
import { addDeposit, depositEntries, deposits, type Deposit } from '../contract/deposit.ts'
import { withdrawalRefusal } from '../domain/deposit.ts'
import { send } from '#kit/web/send.ts'
import { menu } from '../module.ts'
import { DepositDialog } from './deposit-dialogs.tsx'
import './cashier-deposits.css'

type TenderRow = { readonly method: string; readonly amount?: number }

// One way of paying takes the whole amount unless somebody says otherwise.
const fillWholeAmount = (amount: unknown, v: { methods?: readonly TenderRow[] }) =>
  typeof amount === 'number' && (v.methods?.length ?? 0) <= 1
    ? { methods: [{ method: v.methods?.[0]?.method ?? 'cash', amount }] }
    : undefined

/** A new deposit, written down and taken in one go. */
const NewDepositDialog = actionDialog({
  call: addDeposit,
  submitLabel: '收取',
  title: ({ view }: CashierExtensionProps) => `收取押金「${view.sourceName}」`,
  keys: [
    'kind',
    { key: 'amount', deriveValues: fillWholeAmount },
    { key: 'methods', control: TendersControl },
    'payerName',
    'remark',
  ],
  target: ({ project, view }) => ({ projectCode: project, roomCode: view.sourceCode }),
  // The first way of paying has no amount until one is typed.
  context: () => ({ methods: [{ method: 'cash' }] }),
  initial: ({ view }) => ({
    kind: 'fitting' as const,
    ...(view.payerName ? { payerName: view.payerName } : {}),
  }),
  rules: ({ amount, methods = [] }) => {
    const tendered = sumFen(methods.map(m => m.amount ?? 0))
    return amount !== undefined && tendered > 0 && tendered !== amount
      ? { methods: `押金应收 ${displayYuan(amount)} 元，填写的合计是 ${displayYuan(tendered)} 元` }
      : undefined
  },
  doneText: (_, d) => `已收取押金 ${displayYuanWithSymbol(d.amount)}，单号 ${d.depositNo}`,
})

type OpenDialog =
  | { readonly dialog: 'new' }
  | { readonly dialog: 'receive' | 'refund'; readonly deposit: Deposit }

const { permissions } = menu.deposit

interface DepositLineProps {
  readonly deposit: Deposit
  readonly onOpen: (dialog: OpenDialog) => void
}

/** A deposit with what the cashier does with it: received while it waits, refunded afterwards. */
function DepositLine({ deposit, onOpen }: DepositLineProps) {
  const hasPermission = usePermission()
  const isWaiting = deposit.state === 'waiting'
  const refusal = isWaiting ? undefined : withdrawalRefusal(deposit)
  const dialog = isWaiting ? 'receive' : 'refund'
  return (
    <li>
      <div>
        <b>{labelOf(depositKind, deposit.kind)}</b>
        <small className="figure">
          {deposit.depositNo}
          {deposit.receiveTime ? ` · ${deposit.receiveTime.slice(0, 10)}` : ''}
        </small>
      </div>
      <ChoiceStatus choices={depositState} value={deposit.state} />
      <span className="figure">
        {isWaiting ? `应收 ${displayYuan(deposit.amount)}` : `结余 ${displayYuan(deposit.balance)}`}
      </span>
      {hasPermission(permissions[dialog]) && (
        <Button
          size="small"
          disabled={refusal !== undefined}
          title={refusal}
          onClick={() => onOpen({ dialog, deposit })}
        >
          {isWaiting ? '收取' : '退还'}
        </Button>
      )}
    </li>
  )
}

/** The record of what just went out is in the deposit's newest entry. */
async function findRefundRecords({ id }: Deposit): Promise<Id[]> {
  const input = { depositId: [String(id)], entryType: ['refund' as const], page: 1, size: 1 }
  const entries = await send(depositEntries.list, input, { quiet: true }).catch(() => undefined)
  return entries?.rows.flatMap(e => e.recordId ?? []) ?? []
}

/** Deposits of the room at the cashier: taken, refunded (C6.3). */
export function CashierDeposits(props: CashierExtensionProps) {
  const { project, view, onClose, onPaid } = props
  const hasPermission = usePermission()
  const [opened, setOpened] = useState<OpenDialog>()
  const close = (): void => setOpened(undefined)
  const query = useCall(
    deposits.list,
    { projectCode: project, roomCode: [view.sourceCode], page: 1, size: 50 },
    { quiet: true, staleMs: 0 },
  )
  const rows = query.data?.rows ?? []
  const canTake = hasPermission(permissions.add) && hasPermission(permissions.receive)
  const finish = ({ recordId }: Deposit): void => onPaid(recordId ? [recordId] : [])
  if (opened?.dialog === 'new') return <NewDepositDialog record={props} onClose={close} onDone={finish} />
  if (opened) {
    const { dialog, deposit } = opened
    const finishRefund = async (): Promise<void> => onPaid(await findRefundRecords(deposit))
    return (
      <DepositDialog
        movement={dialog}
        record={deposit}
        onClose={close}
        onDone={dialog === 'refund' ? () => void finishRefund() : finish}
      />
    )
  }
  const renderDeposits = () => {
    if (query.isError) return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
    if (query.isPending) return <Skeleton rows={3} />
    if (!rows.length) return <Empty text="该房间暂无押金" />
    return (
      <ul className="cashier-deposits">
        {rows.map(d => (
          <DepositLine key={d.id} deposit={d} onOpen={setOpened} />
        ))}
      </ul>
    )
  }
  return (
    <Modal
      open
      width={640}
      title={`押金「${view.sourceName}」`}
      onCancel={onClose}
      footer={[
        <Button key="no" onClick={onClose}>
          关闭
        </Button>,
        canTake && (
          <Button key="take" type="primary" autoFocus onClick={() => setOpened({ dialog: 'new' })}>
            收取押金
          </Button>
        ),
      ]}
    >
      {renderDeposits()}
    </Modal>
  )
}
