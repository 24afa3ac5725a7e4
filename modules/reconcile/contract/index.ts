import * as b from './bill.ts'
import * as words from './choices.ts'

export const contract = {
  calls: [
    b.listBills,
    b.oneBill,
    b.listLines,
    b.listItems,
    b.pullBill,
    b.importBill,
    b.checkBill,
    b.handleItems,
    b.escalateItems,
    ...b.exportItems.calls,
    ...b.exportLines.calls,
  ],
  entities: [b.channelBill, b.billLine, b.reconcileItem],
  choices: Object.values(words),
}
