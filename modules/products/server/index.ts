import './personal-data.ts'
import { uniqueMessages, type ServerModule } from '#kit/server/handler.ts'
import { catalogueHandlers } from './catalogue.ts'
import { nodeHandlers } from './increment-node.ts'
import { onlinePaymentHandlers } from './online-payment.ts'
import { orderHandlers } from './order.ts'
import { propertyAppHandlers } from './property-app.ts'
import { renewalHandlers } from './renewal.ts'
import { seatHandlers } from './call-seat.ts'
import { expiryJobs } from './expiry.ts'
import { workQueues } from './work-queues.ts'
import { smsPurchaseHandlers } from './sms-purchase.ts'
import { companyData } from './company-data.ts'

uniqueMessages({
  call_seat_no_live: '已有该坐席号，请更换',
  call_seat_extension_live: '该分机号已被另一个坐席使用',
  call_seat_manager_live: '该账号已绑定其他坐席，请先解除',
  product_order_renewal_waits: '已有待支付的续费订单，请先支付或取消它',
  product_order_app_waits: '该应用已有待支付的订单，请先支付或取消它',
  product_order_node_waits: '该节点已有待支付的订单，请先支付或取消它',
})

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  handlers: [
    ...catalogueHandlers,
    ...propertyAppHandlers,
    ...nodeHandlers,
    ...orderHandlers,
    ...renewalHandlers,
    ...onlinePaymentHandlers,
    ...seatHandlers,
    ...smsPurchaseHandlers,
  ],
  crons: expiryJobs,
}
