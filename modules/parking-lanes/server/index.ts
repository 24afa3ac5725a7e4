import './dependents.ts'
import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { ageHandlers } from './ages.ts'
import { chargeHandlers, chargeServer } from './charges.ts'
import { companyData } from './company-data.ts'
import { counterHandlers } from './counters.ts'
import { feeRuleHandlers, feeRuleServer } from './fee-rules.ts'
import { passageHandlers } from './passage/report.ts'
import { laneHandlers, laneServer } from './lanes.ts'
import { longStayCron } from './long-stays.ts'
import { priceTestHandlers } from './price-test.ts'
import { statisticsHandlers } from './statistics.ts'
import { stayActionHandlers } from './stay-actions.ts'
import { stayServer } from './stays.ts'

export const server = joinServers(feeRuleServer, laneServer, stayServer, chargeServer, {
  companyData,
  crons: [longStayCron],
  handlers: [
    ...feeRuleHandlers,
    ...priceTestHandlers,
    ...laneHandlers,
    ...passageHandlers,
    ...stayActionHandlers,
    ...ageHandlers,
    ...counterHandlers,
    ...chargeHandlers,
    ...statisticsHandlers,
  ],
})
