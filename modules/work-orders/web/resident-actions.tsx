import { useState } from 'react'
import { asFen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import {
  cancelAsResident,
  checkAsResident,
  expediteAsResident,
  payAsResident,
  rewardAsResident,
} from '../contract/resident.ts'
import type { FollowedOrder } from './resident-order.tsx'
import { RejectForm, RatingForm, ReasonForm } from './resident-forms.tsx'

export type RunAction = (action: () => Promise<FollowedOrder | undefined>) => Promise<boolean>

interface ActionProps {
  readonly token: string
  readonly order: FollowedOrder
  readonly runAction: RunAction
  readonly fault: string | undefined
}

type OpenForm = 'reject' | 'rate' | 'cancel' | 'reward'
const anonymous = { quiet: true, project: 0 } as const

/** The payer's page of payments takes over; its way back leads here. */
const goToPayment = (open: () => Promise<{ readonly url: string }>) => async (): Promise<undefined> => {
  const back = encodeURIComponent(`${location.pathname}${location.search}`)
  location.assign(`${(await open()).url}&back=${back}`)
}

const tips = [500, 1000, 2000].map(asFen)

/** What the reporter may do now: the next thing largest, the rest beside it. */
export function ResidentActions(props: ActionProps) {
  const { token, order, runAction } = props
  const [form, setForm] = useState<OpenForm>()
  const close = (): void => setForm(undefined)
  if (form === 'rate')
    return (
      <RatingForm token={token} order={order} runAction={runAction} fault={props.fault} onClose={close} />
    )
  if (form === 'reject')
    return <RejectForm token={token} runAction={runAction} fault={props.fault} onClose={close} />
  if (form === 'cancel')
    return (
      <ReasonForm
        label="取消原因"
        submitLabel="取消报事"
        fault={props.fault}
        onClose={close}
        onSubmit={reason => runAction(() => send(cancelAsResident, { token, reason }, anonymous))}
      />
    )
  return <ActionButtons {...props} isTipping={form === 'reward'} onForm={setForm} />
}

function ActionButtons({
  token,
  order,
  runAction,
  fault,
  isTipping,
  onForm,
}: ActionProps & { readonly isTipping: boolean; readonly onForm: (form: OpenForm | undefined) => void }) {
  const [isBusy, setBusy] = useState(false)
  const runWhole = async (action: Parameters<RunAction>[0], done?: string): Promise<void> => {
    setBusy(true)
    const isDone = await runAction(action)
    setBusy(false)
    if (isDone && done !== undefined) {
      toast.success(done)
    }
  }
  const run = (action: Parameters<RunAction>[0], done?: string): void => void runWhole(action, done)
  const expedite = (): void =>
    run(() => send(expediteAsResident, { token }, anonymous), '已催办，物业会尽快处理')
  const accept = (): void => run(() => send(checkAsResident, { token, isPassed: true }, anonymous), '已验收')
  const pay = (): void => run(goToPayment(() => send(payAsResident, { token }, anonymous)))
  const tip = (amount: (typeof tips)[number]): void =>
    run(goToPayment(() => send(rewardAsResident, { token, amount }, anonymous)))
  // A reporter who has to act has nobody to urge.
  const waitsForResident = order.canCheck || order.canPay
  const buttons: readonly (readonly [label: string, isOffered: boolean, run: () => void])[] = [
    ['验收通过', order.canCheck, accept],
    [`支付 ${displayYuanWithSymbol(order.amount)}`, order.canPay, pay],
    [order.evaluation ? '修改评价' : '评价', order.canEvaluate, () => onForm('rate')],
    ['退回重新处理', order.canCheck, () => onForm('reject')],
    ['催办', order.canExpedite && !waitsForResident, expedite],
    ['取消报事', order.canCancel, () => onForm('cancel')],
    ['打赏', order.canReward && !isTipping, () => onForm('reward')],
  ]
  const offered = buttons.filter(([, isOffered]) => isOffered)
  if (!offered.length && !order.expediteWait && !isTipping) return null
  return (
    <div className="foot actions">
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {isTipping &&
        tips.map(amount => (
          <button type="button" className="big" key={amount} disabled={isBusy} onClick={() => tip(amount)}>
            {displayYuanWithSymbol(amount)}
          </button>
        ))}
      {offered.map(([label, , onClick], i) => (
        <button
          type="button"
          className={i === 0 && label !== '取消报事' && label !== '打赏' ? 'big primary' : 'big'}
          key={label}
          disabled={isBusy}
          onClick={onClick}
        >
          {label}
        </button>
      ))}
      {order.expediteWait > 0 && <small>{order.expediteWait} 分钟后可再次催办</small>}
    </div>
  )
}
