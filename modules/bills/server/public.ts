/** What other modules may ask of bills: the ledger, the one door through which money meets them. */
export { fileBills } from './temporary.ts'
export { removePrepaid } from './prepaid.ts'

export {
  giveBack,
  hold,
  payRefusal,
  release,
  standings,
  takeMoney,
  undoMoney,
  type Source,
  type Standing,
  type Take,
} from './ledger.ts'

export { noteInvoiced } from './invoiced.ts'
export { lateFees, rulesOf } from './late.ts'
export { discountBills } from './change.ts'
export { abolishByIds, type Deed } from './actions.ts'

export {
  allocate,
  inTenderOrder,
  overpaid,
  partialRefusal,
  roundedOff,
  type Owed,
} from '../domain/allocate.ts'

export { deduct, withdrawn, type Account, type Deduction, type Payable } from '../domain/prestore.ts'
export { recordState, refundable, refundEntry, refundParts, refundRefusal } from '../domain/settle.ts'
export { monthsCarried } from './carried.ts'
