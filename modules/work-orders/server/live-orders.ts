import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import { onRecordsWritten } from '#kit/server/record-events.ts'
import { personConfig, orderRole } from '../contract/person-config.ts'
import { orderType } from '../contract/order-type.ts'

/** Payments, accounts and written records know no app; screens hear of them through the one that runs. */
let runningApp: App | undefined

export const setRunningApp = (app: App): void => {
  runningApp = app
}

export const getRunningApp = (): App | undefined => runningApp

/** After the commit, boards and lists that are open request again what they show. */
export const publishOrdersChanged = (tx: Pick<Tx, 'onCommit'>, ownerId: Id): void =>
  tx.onCommit(() => runningApp?.live.publish(ownerId, { topic: 'workOrders' }, 'workOrder'))

// Who is offered orders, who may grab them and who sees them.
for (const { name } of [personConfig, orderRole, orderType]) {
  onRecordsWritten(name, publishOrdersChanged)
}
