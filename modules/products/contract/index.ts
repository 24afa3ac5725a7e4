import * as app from './property-app.ts'
import * as node from './increment-node.ts'
import * as order from './order.ts'
import * as product from './product.ts'
import * as seat from './call-seat.ts'
import * as words from './labels.ts'

export const contract = {
  calls: [
    product.listProductCenter,
    product.getProduct,
    product.listProductCategories,
    product.listProductTypes,
    product.listProducts,
    app.listApps,
    app.setAppEnabled,
    node.listNodes,
    node.editNode,
    node.listNodePrices,
    order.listOrders,
    order.getOrder,
    order.addRenewal,
    order.addAppOrder,
    order.addNodeOrder,
    order.cancelOrders,
    order.payByBalance,
    order.payOnline,
    order.topUpBalance,
    order.getRenewal,
    order.listAccountEntries,
    seat.listSeats,
    seat.addSeat,
    seat.editSeat,
    seat.deleteSeats,
    seat.getSeatCounts,
  ],
  entities: [
    product.product,
    app.propertyApp,
    node.incrementNode,
    order.productOrder,
    order.accountEntry,
    seat.callSeat,
  ],
  choices: [
    words.productKind,
    words.chargeBy,
    words.nodeType,
    words.holdingState,
    words.nodeState,
    words.orderState,
    words.payMethod,
    words.accountEntryType,
    seat.seatState,
  ],
}
