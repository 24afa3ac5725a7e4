export { callerOf } from './caller.ts'
export { createCompany, type NewCompany } from './company.ts'
export { haveWork, type Work } from './works.ts'
