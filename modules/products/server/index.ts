import { uniqueSays, type ServerModule } from '#kit/server/handle.ts'
import { catalogueHandlers } from './catalogue.ts'
import { nodeHandlers } from './node.ts'
import { orderHandlers } from './order.ts'
import { packageHandlers } from './package.ts'
import { renewalHandlers } from './renewal.ts'
import { tending } from './tend.ts'

uniqueSays({
  product_order_renewal_waits: '已有待支付的续费订单，请先支付或取消它', product_order_app_waits: '这个应用已有待支付的订单，请先支付或取消它', product_order_node_waits: '这个节点已有待支付的订单，请先支付或取消它',
})

export const server: ServerModule = { handlers: [...catalogueHandlers, ...packageHandlers, ...nodeHandlers, ...orderHandlers, ...renewalHandlers], crons: tending }
