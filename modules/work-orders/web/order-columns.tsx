import { buildColumns, defineColumns } from '#kit/web/columns.tsx'
import { relativeText } from '#kit/web/date-format.ts'
import { BlankValue } from '#kit/web/numbers.tsx'
import { Status } from '#kit/web/status.tsx'
import { isOpen } from '../domain/order-actions.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { describeTimeLeft } from './time-left.ts'
import './orders.css'

type Deadlined = Pick<WorkOrder, 'state' | 'nextDeadline' | 'minutesLeft'>

const stoppedText = ({ state }: Deadlined): string | undefined =>
  state === 'suspended' ? '暂停计时' : undefined

/** The running deadline as the list shows it: time left and colour; a clock that is paused says so. */
export function TimeLeft({ order }: { readonly order: Deadlined }) {
  const stopped = stoppedText(order)
  if (stopped)
    return (
      <Status tone="hold" plain>
        {stopped}
      </Status>
    )
  if (!isOpen(order.state) || order.minutesLeft === undefined || !order.nextDeadline) return <BlankValue />
  const { text, tone } = describeTimeLeft(order.minutesLeft)
  return (
    <Status tone={tone} plain title={`${relativeText(order.nextDeadline)} 到期`}>
      {text}
    </Status>
  )
}

const timeLeftText = (order: WorkOrder): string => {
  const stopped = stoppedText(order)
  if (stopped !== undefined) return stopped
  return order.minutesLeft === undefined ? '' : describeTimeLeft(order.minutesLeft).text
}

const timeLeftColumn = {
  key: 'nextDeadline',
  title: '剩余时间',
  width: 142,
  render: (order: WorkOrder) => <TimeLeft order={order} />,
  text: timeLeftText,
}

/** Orders as every list of them shows them. */
export const orderColumns = buildColumns(
  workOrder,
  defineColumns<WorkOrder>()([
    { key: 'orderNo', identity: true, width: 180, render: order => <OrderNumber order={order} /> },
    { key: 'level', width: 88 },
    { key: 'title', title: '内容', width: 132, grow: 2 },
    { key: 'typeName', width: 92, grow: 1 },
    { key: 'address', width: 132, grow: 1 },
    { key: 'reporterName', width: 76, wideOnly: true, hidePriority: 1 },
    { key: 'handlerName', width: 76 },
    { key: 'registerTime', hidePriority: 1 },
    timeLeftColumn,
    { key: 'expediteCount', title: '催办', width: 60, wideOnly: true, hidePriority: 2 },
    { key: 'payableCost', wideOnly: true, hidePriority: 2 },
    { key: 'score', wideOnly: true, hidePriority: 2 },
    'state',
    { key: 'category', hiddenByDefault: true },
    { key: 'source', hiddenByDefault: true },
    { key: 'finishTime', hiddenByDefault: true },
    { key: 'reporterPhone', hiddenByDefault: true },
  ]),
)

/** The number of an order, with a mark while the caller has not read it (WO-12). */
function OrderNumber({ order }: { readonly order: WorkOrder }) {
  return order.isViewed === false ? (
    <b className="order-unread">
      {order.orderNo}
      <i role="img" aria-label="未读" title="未读" />
    </b>
  ) : (
    order.orderNo
  )
}
