import * as app from './app.ts'
import * as node from './node.ts'
import * as order from './order.ts'
import * as product from './product.ts'
import * as seat from './seat.ts'
import * as words from './words.ts'

export const contract = {
  calls: [
    product.productCenter,
    product.oneProduct,
    product.listCategories,
    product.listTypes,
    product.listProducts,
    app.listApps,
    app.switchApp,
    node.listNodes,
    node.editNode,
    node.nodePrices,
    order.listOrders,
    order.oneOrder,
    order.addRenewal,
    order.addAppOrder,
    order.addNodeOrder,
    order.cancelOrders,
    order.payByBalance,
    order.payOnline,
    order.topUpBalance,
    order.renewal,
    order.listEntries,
    seat.listSeats,
    seat.addSeat,
    seat.editSeat,
    seat.deleteSeats,
    seat.seatFigures,
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
    words.holding,
    words.nodeState,
    words.orderState,
    words.payMethod,
    words.entryType,
    seat.seatState,
  ],
}
