import * as words from './choices.ts'
import {
  addDeposit,
  convertDeposit,
  deductDeposit,
  deposit,
  depositEntry,
  deleteDeposit,
  exportDeposits,
  listDepositEntries,
  listDeposits,
  getDeposit,
  receiveDeposit,
  refundDeposit,
} from './deposit.ts'

export const contract = {
  calls: [
    listDeposits,
    getDeposit,
    listDepositEntries,
    addDeposit,
    receiveDeposit,
    deductDeposit,
    refundDeposit,
    convertDeposit,
    deleteDeposit,
    ...exportDeposits.calls,
  ],
  entities: [deposit, depositEntry],
  choices: Object.values(words),
}
