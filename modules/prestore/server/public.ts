/** Deduct a project's rooms now: after bills were made (ACC-5). */
export { deductProject } from './deduct.ts'
