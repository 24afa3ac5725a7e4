import { labelOf } from '#kit/contract/field.ts'
import { fromInstant, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { orderLevel, orderState } from '../contract/choices.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { useGrab } from './mobile-grab.ts'
import { useServerTime, type MobileOrders } from './mobile-orders.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { describeTimeLeft } from './time-left.ts'

interface ListProps {
  readonly orders: MobileOrders
  readonly onOpen: (id: Id) => void
}

/** The time until the deadline that runs; of an order that is paused, why. */
export function TimeLeft({ order, now }: { readonly order: WorkOrder; readonly now: Moment }) {
  if (order.nextDeadline === undefined) return <ChoiceStatus choices={orderState} value={order.state} />
  const timeLeft = describeTimeLeft(Math.trunc(secondsBetween(now, order.nextDeadline) / 60))
  return <Status tone={timeLeft.tone}>{timeLeft.text}</Status>
}

function OrderSummary({ order, now }: { readonly order: WorkOrder; readonly now: Moment }) {
  return (
    <>
      <span className="job-head">
        <b>{order.typeName}</b>
        {order.level !== 'normal' && (
          <Status tone={order.level === 'critical' ? 'bad' : 'hold'}>
            {labelOf(orderLevel, order.level)}
          </Status>
        )}
        <TimeLeft order={order} now={now} />
      </span>
      <span className="job-place">{order.address ?? order.estateName}</span>
      <span className="job-text">{order.content}</span>
    </>
  )
}

export function ListPlaceholder({
  orders,
  text,
}: {
  readonly orders: MobileOrders['own']
  readonly text: string
}) {
  if (orders.isPending) return <p className="empty">正在加载…</p>
  if (orders.isError)
    return (
      <p className="empty" role="alert">
        {describeRefusal(orders.error, '网络已断开，显示的是手机上保存的工单')}
        <button type="button" className="big" onClick={() => void orders.refetch()}>
          重试
        </button>
      </p>
    )
  return <p className="empty">{text}</p>
}

/** What I have in hand, the nearest deadline first. */
export function MobileList({ orders: { orders, own, queue }, onOpen }: ListProps) {
  const now = fromInstant(useServerTime())
  if (!orders.length) return <ListPlaceholder orders={own} text="暂无待处理的工单" />
  return (
    <>
      {own.isError && (
        <p className="notice" role="status">
          网络已断开，显示的是手机上保存的工单
        </p>
      )}
      <ol>
        {orders.map(order => {
          const steps = queue.queue.filter(step => step.orderId === order.id)
          const isRefused = steps.some(step => step.refusal !== undefined)
          return (
            <li key={order.id}>
              <button type="button" className="job" onClick={() => onOpen(order.id)}>
                <OrderSummary order={order} now={now} />
                <small>
                  {order.orderNo} · {labelOf(orderState, order.state)}
                  {order.expediteCount > 0 && ` · 催办 ${order.expediteCount} 次`}
                  {steps.length > 0 && (
                    <span className={isRefused ? 'fault' : 'todo'}>
                      {isRefused ? ' · 上传未通过' : ` · ${steps.length} 个步骤待上传`}
                    </span>
                  )}
                </small>
              </button>
            </li>
          )
        })}
      </ol>
    </>
  )
}

/** Orders that the first person to ask may take. */
export function MobilePool({ orders, onOpen }: ListProps) {
  const now = fromInstant(useServerTime())
  const { pool } = orders
  const { grab, isBusy, fault } = useGrab(orders)
  const rows = pool.data?.rows ?? []
  return (
    <>
      {fault && (
        <p className="notice fault" role="alert">
          {fault}
        </p>
      )}
      {!rows.length && <ListPlaceholder orders={pool} text="暂无可抢的工单" />}
      <ol>
        {rows.map(order => (
          <li key={order.id} className="pool-row">
            <button type="button" className="job" onClick={() => onOpen(order.id)}>
              <OrderSummary order={order} now={now} />
              <small>{order.orderNo}</small>
            </button>
            <button
              type="button"
              className="big primary"
              aria-label={`抢单 ${order.orderNo}`}
              disabled={isBusy}
              onClick={() => void grab(order.id).then(done => done && onOpen(order.id))}
            >
              抢单
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
