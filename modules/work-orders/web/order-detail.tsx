import { useEffect } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { FooterActions } from '#kit/web/action.tsx'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { relativeText } from '#kit/web/date-format.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { StoredVideos } from '#kit/web/stored-videos.tsx'
import { orderCategory, orderLevel, orderState } from '../contract/choices.ts'
import { getOrder, markOrdersViewed } from '../contract/order.ts'
import { listOrders } from '../contract/order-list.ts'
import type { OrderDetail } from './clock-bars.ts'
import { findNeighbours, openOrder } from './order-address.ts'
import { OrderClocks } from './order-clocks.tsx'
import { OrderEvents } from './order-events.tsx'
import { OrderSide } from './order-side.tsx'
import { useOrderActions } from './use-order-actions.tsx'
import { useLiveOrders, useLiveReceivers } from './live-orders.ts'

/** The order before and the one behind in the list that it was opened from. */
function Neighbours({ order }: { readonly order: OrderDetail }) {
  const beside = findNeighbours(order.id)
  const previous = beside?.previous
  const next = beside?.next
  useShortcuts([
    { keys: 'K', label: '上一张工单', run: () => previous && openOrder(previous) },
    { keys: 'J', label: '下一张工单', run: () => next && openOrder(next) },
  ])
  if (!beside) return null
  return (
    <>
      <small>
        {beside.position} / {beside.total}
      </small>
      <button
        type="button"
        className="step"
        aria-label="上一张工单"
        disabled={!previous}
        onClick={() => previous && openOrder(previous)}
      >
        ‹
      </button>
      <button
        type="button"
        className="step"
        aria-label="下一张工单"
        disabled={!next}
        onClick={() => next && openOrder(next)}
      >
        ›
      </button>
    </>
  )
}

/** What somebody has asked for and waits to be decided. */
function Request({ order }: { readonly order: OrderDetail }) {
  const { extensionState, extensionDeadline, closeState, requestReason = '' } = order
  if (extensionState === 'waiting')
    return (
      <div className="order-banner" role="status">
        申请延期至 {extensionDeadline ? relativeText(extensionDeadline) : '--'}：{requestReason}
      </div>
    )
  if (closeState === 'waiting')
    return (
      <div className="order-banner" role="status">
        申请关闭：{requestReason}
      </div>
    )
  if (order.state === 'suspended')
    return (
      <div className="order-banner hold" role="status">
        已挂起{order.resumeTime ? `，预计 ${relativeText(order.resumeTime)} 恢复` : ''}：
        {order.suspendReason ?? ''}
      </div>
    )
  return null
}

function OrderScreen({ order }: { readonly order: OrderDetail }) {
  const tools = useOrderActions(order)
  return (
    <div className="order-page">
      <header>
        <h2>{order.title ?? order.typeName}</h2>
        <ChoiceStatus choices={orderState} value={order.state} />
        {order.level !== 'normal' && <ChoiceStatus choices={orderLevel} value={order.level} />}
        <small>
          {order.orderNo} · {labelOf(orderCategory, order.category)} / {order.typeName}
        </small>
        <span className="spring" />
        <Neighbours order={order} />
        <div className="buttons">
          <FooterActions actions={tools.actions} />
        </div>
      </header>
      <Request order={order} />
      <OrderClocks order={order} />
      <div className="order-body">
        <div className="order-main">
          <section aria-label="报事内容">
            <header>
              <h3>报事内容</h3>
            </header>
            <div className="order-report">
              <p className="order-text">{order.content}</p>
              {order.photos?.length ? <StoredImages fileKeys={order.photos} size={112} /> : null}
            </div>
            {order.videos?.length ? <StoredVideos fileKeys={order.videos} /> : null}
          </section>
          {order.resultText && (
            <section aria-label="处理结果">
              <header>
                <h3>处理结果</h3>
              </header>
              <p className="order-text">{order.resultText}</p>
              {order.resultPhotos?.length ? <StoredImages fileKeys={order.resultPhotos} size={112} /> : null}
            </section>
          )}
          <OrderEvents order={order} onNote={() => tools.openDialog('note')} />
        </div>
        <OrderSide order={order} tools={tools} />
      </div>
      {tools.dialog}
    </div>
  )
}

/** 报修详情: one order with its clocks, what happened, and what may be done now. */
export default function OrderDetailPage() {
  const { record: order, placeholder } = useAddressedRecord(getOrder, {
    tabTitle: row => row.orderNo,
    width: [120, 200, 120, 160],
    staleMs: 0,
  })
  // The other orders of the place are beside it.
  useLiveOrders(getOrder, listOrders)
  useLiveReceivers(getOrder)
  const unreadId = order && order.isViewed === false ? order.id : undefined
  useEffect(() => {
    if (unreadId === undefined) return
    sendAndInvalidate(markOrdersViewed, { ids: [String(unreadId)], isViewed: true }, { quiet: true }).catch(
      () => {
        // Stays marked as unread; the next opening tries again.
      },
    )
  }, [unreadId])
  return order ? <OrderScreen key={order.id} order={order} /> : placeholder
}
