import { Button, Modal } from 'antd'
import { useMemo, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { sumFen } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { Empty, Skeleton } from '#kit/web/page-states.tsx'
import { LoadFailure } from '#kit/web/page-error.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { TendersControl, type CashierExtensionProps } from '#modules/payments/web/public.ts'
import { depositKind, depositState } from '../contract/choices.ts'
import { addDeposit, listDepositEntries, listDeposits, type Deposit } from '../contract/deposit.ts'
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

const newDepositGroups = [
  {
    keys: [
      'kind',
      { key: 'amount', deriveValues: fillWholeAmount },
      { key: 'methods', control: TendersControl, wide: true, label: '收款' },
      'payerName',
      { key: 'remark', wide: true },
    ],
  },
]

/** A new deposit, written down and taken in one go. */
function NewDepositDialog({ project, view, onClose, onPaid }: CashierExtensionProps) {
  const go = useSend(addDeposit, { quiet: true })
  const initial = useMemo(
    () => ({
      projectCode: project,
      roomCode: view.sourceCode,
      kind: 'fitting' as const,
      methods: [{ method: 'cash' as const }] as never,
      ...(view.payerName ? { payerName: view.payerName } : {}),
    }),
    [project, view],
  )
  return (
    <EditDialog
      shape={addDeposit.input}
      title={`收取押金「${view.sourceName}」`}
      groups={newDepositGroups}
      initial={initial}
      submitLabel="收取"
      presentation="dialog"
      save={v => go.mutateAsync({ ...v, projectCode: project, roomCode: view.sourceCode })}
      onClose={onClose}
      rules={v => {
        const { amount, methods } = v as { amount?: number; methods?: readonly { amount?: number }[] }
        const said = sumFen((methods ?? []).map(m => m.amount ?? 0))
        return amount !== undefined && said > 0 && said !== amount
          ? { methods: `押金应收 ${displayYuan(amount)} 元，填写的合计是 ${displayYuan(said)} 元` }
          : undefined
      }}
      onDone={a => {
        const d = a as Deposit
        toast.success(`已收取押金 ${displayYuan(d.amount, true)}，单号 ${d.depositNo}`)
        onPaid(d.recordId ? [d.recordId] : [])
      }}
    />
  )
}

type OpenDialog = { readonly what: 'take' } | { readonly what: 'receive' | 'refund'; readonly of: Deposit }

/** Deposits of the room that stands at the till: taken, given back (C6.3). */
export function CashierDeposits(p: CashierExtensionProps) {
  const { project, view, onClose, onPaid } = p
  const may = usePermission()
  const [open, setOpen] = useState<OpenDialog>()
  const close = (): void => setOpen(undefined)
  const q = useCall(
    listDeposits,
    { projectCode: project, roomCode: [view.sourceCode], page: 1, size: 50 },
    { quiet: true, staleMs: 0 },
  )
  const rows = q.data?.rows ?? []
  const takes = may(menu.deposit.permissions.add) && may(menu.deposit.permissions.receive)
  /** The sheet of what just went out: its record stands in the deposit's newest entry. */
  const returned = async (d: Deposit): Promise<void> => {
    const { rows: entries } = await send(
      listDepositEntries,
      { depositId: [String(d.id)], entryType: ['refund'], page: 1, size: 1 } as never,
      { quiet: true },
    ).catch(() => ({ rows: [] as { recordId?: number }[] }))
    onPaid(entries[0]?.recordId ? [entries[0].recordId] : [])
  }
  if (open?.what === 'take') return <NewDepositDialog {...p} onClose={close} />
  if (open)
    return (
      <DepositDialog
        movement={open.what}
        of={open.of}
        onClose={close}
        onDone={d =>
          open.what === 'receive' ? onPaid(d.recordId ? [d.recordId] : []) : void returned(open.of)
        }
      />
    )
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
        takes && (
          <Button key="take" type="primary" autoFocus onClick={() => setOpen({ what: 'take' })}>
            收取押金
          </Button>
        ),
      ]}
    >
      {q.isError ? (
        <LoadFailure error={q.error} onRetry={() => void q.refetch()} />
      ) : q.isPending ? (
        <Skeleton rows={3} />
      ) : !rows.length ? (
        <Empty text="这间房还没有押金" />
      ) : (
        <ul className="till-deposits">
          {rows.map(d => (
            <li key={d.id}>
              <div>
                <b>{labelOf(depositKind, d.kind)}</b>
                <small className="figure">
                  {d.depositNo}
                  {d.receiveTime ? ` · ${d.receiveTime.slice(0, 10)}` : ''}
                </small>
              </div>
              <ChoiceStatus choices={depositState} value={d.state} />
              <span className="figure">
                {d.state === 'waiting' ? `应收 ${displayYuan(d.amount)}` : `结余 ${displayYuan(d.balance)}`}
              </span>
              {d.state === 'waiting'
                ? may(menu.deposit.permissions.receive) && (
                    <Button size="small" onClick={() => setOpen({ what: 'receive', of: d })}>
                      收取
                    </Button>
                  )
                : may(menu.deposit.permissions.refund) && (
                    <Button
                      size="small"
                      disabled={withdrawalRefusal(d) !== undefined}
                      title={withdrawalRefusal(d)}
                      onClick={() => setOpen({ what: 'refund', of: d })}
                    >
                      退还
                    </Button>
                  )}
            </li>
          ))}
        </ul>
      )}
    </Modal>
  )
}
