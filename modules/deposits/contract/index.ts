import * as words from './choices.ts'
import * as d from './deposit.ts'

export const contract = {
  calls: [
    ...d.deposits.calls,
    ...d.depositEntries.calls,
    d.addDeposit,
    d.receiveDeposit,
    d.deductDeposit,
    d.refundDeposit,
    d.convertDeposit,
    d.deleteDeposit,
    ...d.exportDeposits.calls,
  ],
  entities: [d.deposit, d.depositEntry],
  choices: Object.values(words),
}
