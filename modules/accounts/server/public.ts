export { callerOf } from './caller.ts'
export { companyMade, createCompany, type NewCompany } from './company.ts'
export { putSubscriptions, type Subscription } from './subscription.ts'
export { haveWork, type Work } from './works.ts'
