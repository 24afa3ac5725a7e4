import { useEffect, useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { getOrder, markOrdersViewed } from '../contract/order.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import type { MobileAddress } from './mobile.tsx'
import { MobileDetails, MobileRecords } from './mobile-details.tsx'
import { MobileFinish } from './mobile-finish.tsx'
import { MobileStepForm } from './mobile-step-form.tsx'
import { TimeLeft } from './mobile-list.tsx'
import { useGrab } from './mobile-grab.ts'
import { useServerTime, type MobileOrders } from './mobile-orders.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import type { StepQueue } from './mobile-queue.ts'
import { applySteps, offeredSteps, stepLabel, type StepAction, type StepValues } from './mobile-steps.ts'

interface OrderProps {
  readonly id: Id
  readonly orders: MobileOrders
  readonly address: MobileAddress
}

/** An order that somebody opens is read (WO-12). */
function useViewedMark(order: WorkOrder | undefined): void {
  const unread = order !== undefined && order.isViewed === false
  const id = order?.id
  useEffect(() => {
    if (!unread || id === undefined) return
    send(markOrdersViewed, { ids: [String(id)], isViewed: true }, { quiet: true, project: 0 }).catch(() => {
      // Stays unread until it is opened with a network.
    })
  }, [unread, id])
}

/** One order: what is to be done where, how long there is, and the next step under the thumb. */
export function MobileOrder({ id, orders, address }: OrderProps) {
  const detail = useCall(getOrder, { id }, { quiet: true, project: 0, staleMs: 0 })
  const { queue } = orders
  const kept = orders.orders.find(order => order.id === id)
  const order = detail.data ? applySteps(detail.data, queue.queue) : kept
  useViewedMark(detail.data)
  const perform = async (values: StepValues, photos: readonly string[] = []): Promise<void> => {
    if (!order) return
    const isSent = await queue.perform(order, values, photos)
    if (isSent) {
      toast.success(`${stepLabel(values.action)}已提交`)
    } else {
      toast.warning('网络已断开，步骤存在手机上，有网络时自动上传')
    }
    void detail.refetch()
  }
  if (!order)
    return (
      <div className="phone orders-phone">
        <OrderHeader title="工单" onBack={address.back} />
        <p className="empty" role={detail.isError ? 'alert' : 'status'}>
          {detail.isError ? describeRefusal(detail.error, '网络已断开，且手机上没有该工单') : '正在加载…'}
        </p>
      </div>
    )
  const offered = offeredSteps(order)
  const { step } = address
  if (step === 'finish' && offered.includes('finish'))
    return <MobileFinish order={order} perform={perform} onBack={address.back} />
  const form = offered.find(action => action === step)
  if (form !== undefined && form !== 'finish')
    return <MobileStepForm order={order} action={form} perform={perform} onBack={address.back} />
  return (
    <div className="phone orders-phone">
      <OrderHeader title={order.typeName} onBack={address.back} order={order} />
      <RefusedStep queue={queue} orderId={id} />
      <main>
        <MobileDetails order={order} />
        {detail.data && <MobileRecords records={detail.data.records} />}
      </main>
      {orders.pool.data?.rows.some(other => other.id === id) && (
        <GrabButton id={id} orders={orders} onDone={() => void detail.refetch()} />
      )}
      <StepButtons offered={offered} perform={perform} onForm={action => address.open(id, action)} />
    </div>
  )
}

function OrderHeader({
  title,
  onBack,
  order,
}: {
  readonly title: string
  readonly onBack: () => void
  readonly order?: WorkOrder
}) {
  const now = fromInstant(useServerTime())
  return (
    <header>
      <div>
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        <h1>{title}</h1>
        {order && <TimeLeft order={order} now={now} />}
      </div>
    </header>
  )
}

function GrabButton({
  id,
  orders,
  onDone,
}: {
  readonly id: Id
  readonly orders: MobileOrders
  readonly onDone: () => void
}) {
  const { grab, isBusy, fault } = useGrab(orders)
  return (
    <div className="foot steps">
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <button
        type="button"
        className="big primary"
        disabled={isBusy}
        onClick={() => void grab(id).then(onDone)}
      >
        抢单
      </button>
    </div>
  )
}

/** What the server refused of the steps that waited: to be sent as of now, or given up. */
function RefusedStep({ queue, orderId }: { readonly queue: StepQueue; readonly orderId: Id }) {
  const waiting = queue.queue.filter(step => step.orderId === orderId)
  const refused = waiting.find(step => step.refusal !== undefined)
  if (!refused)
    return waiting.length ? (
      <p className="waits" role="status">
        <span>{waiting.map(step => stepLabel(step.values.action)).join('、')}待上传</span>
      </p>
    ) : null
  return (
    <div className="waits refused" role="alert">
      <span>
        「{stepLabel(refused.values.action)}」未通过：{refused.refusal}
        {waiting.length > 1 && '；放弃后其后的步骤也不再上传'}
      </span>
      <button type="button" className="big" onClick={() => queue.drop(refused)}>
        放弃
      </button>
      <button type="button" className="big" onClick={() => queue.retry(refused)}>
        重新提交
      </button>
    </div>
  )
}

/** Steps that need no words are done at once; the others open their form. */
const isAtOnce = (action: StepAction): action is 'accept' | 'resume' =>
  action === 'accept' || action === 'resume'

function StepButtons({
  offered,
  perform,
  onForm,
}: {
  readonly offered: readonly StepAction[]
  readonly perform: (values: StepValues) => Promise<void>
  readonly onForm: (action: StepAction) => void
}) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [first, ...others] = offered
  if (!first) return null
  const run = async (action: StepAction): Promise<void> => {
    setFault(undefined)
    if (!isAtOnce(action)) {
      onForm(action)
      return
    }
    setBusy(true)
    try {
      await perform({ action })
    } catch (error) {
      setFault(describeRefusal(error, '提交失败，请重试'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="foot steps">
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {others.map(action => (
        <button type="button" className="big" key={action} disabled={isBusy} onClick={() => void run(action)}>
          {stepLabel(action)}
        </button>
      ))}
      <button type="button" className="big primary" disabled={isBusy} onClick={() => void run(first)}>
        {stepLabel(first)}
      </button>
    </div>
  )
}
