import * as b from './channel-bill.ts'
import * as words from './choices.ts'

export const contract = {
  calls: [
    b.listChannelBills,
    b.getChannelBill,
    b.listChannelBillLines,
    b.listReconcileItems,
    b.pullChannelBill,
    b.importChannelBill,
    b.recheckChannelBill,
    b.handleReconcileItems,
    b.escalateReconcileItems,
    ...b.exportReconcileItems.calls,
    ...b.exportChannelBillLines.calls,
  ],
  entities: [b.channelBill, b.channelBillLine, b.reconcileItem],
  choices: Object.values(words),
}
