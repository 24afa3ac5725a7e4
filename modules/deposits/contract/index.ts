import * as words from './choices.ts'
import {
  addDeposit,
  convertDeposit,
  deductDeposit,
  deposit,
  depositEntry,
  dropDeposit,
  exportDeposits,
  listDepositEntries,
  listDeposits,
  oneDeposit,
  receiveDeposit,
  refundDeposit,
} from './deposit.ts'

export const contract = {
  calls: [
    listDeposits,
    oneDeposit,
    listDepositEntries,
    addDeposit,
    receiveDeposit,
    deductDeposit,
    refundDeposit,
    convertDeposit,
    dropDeposit,
    ...exportDeposits.calls,
  ],
  entities: [deposit, depositEntry],
  choices: Object.values(words),
}
