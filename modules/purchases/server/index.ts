import './dependents.ts'
import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { actionHandlers } from './actions.ts'
import { orderHandlers, orderServer } from './order.ts'
import { purchaseHandlers, purchaseServer } from './purchase.ts'
import { receiptHandlers, receiptServer } from './receipt.ts'
import { settingHandlers } from './setting.ts'
import { supplierServer } from './supplier.ts'
import { workQueues } from './work-queues.ts'

export const server = joinServers(supplierServer, purchaseServer, orderServer, receiptServer, {
  handlers: [
    ...purchaseHandlers,
    ...actionHandlers,
    ...orderHandlers,
    ...receiptHandlers,
    ...settingHandlers,
  ],
  queues: workQueues,
})
