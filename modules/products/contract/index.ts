import { declareContract } from '#kit/contract/module-contract.ts'
import * as callSeat from './call-seat.ts'
import * as incrementNode from './increment-node.ts'
import * as labels from './labels.ts'
import * as order from './order.ts'
import * as product from './product.ts'
import * as propertyApp from './property-app.ts'
import * as smsPurchase from './sms-purchase.ts'

export const contract = declareContract(
  callSeat,
  incrementNode,
  labels,
  order,
  product,
  propertyApp,
  smsPurchase,
)
