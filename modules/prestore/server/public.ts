/** A deposit becomes prestore; deduct a project's rooms now, after bills were made (ACC-5). */
export { creditDeposit, type DepositConversion } from './deposit-conversion.ts'
export { deductProject } from './deduction.ts'

/** What the figures of prestore are made of, for other sums of the same movements. */
export { flowKeys, flowColumns } from './summary.ts'
