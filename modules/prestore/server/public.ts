/** A deposit becomes prestore; deduct a project's rooms now, after bills were made (ACC-5). */
export { keepDeposit, type FromDeposit } from './deposit.ts'
export { deductProject } from './deduct.ts'

/** What the figures of prestore are made of, for other sums of the same movements. */
export { flowKeys, flows } from './summary.ts'
