/** A deposit becomes prestore; deduct a project's rooms now, after bills were made (ACC-5). */
export { keepDeposit, type FromDeposit } from './deposit.ts'
export { deductProject } from './deduct.ts'
