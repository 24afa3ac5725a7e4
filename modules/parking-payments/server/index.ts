import './booth-income.ts'
import './host-covers.ts'
import './personal-data.ts'
import { companyData } from './company-data.ts'
import { lanePassHandlers } from './lane-pass.ts'
import { payCodeHandlers } from './pay-code.ts'
import { payerHandlers } from './payer.ts'
import './returned-income.ts'

export const server = { companyData, handlers: [...payerHandlers, ...lanePassHandlers, ...payCodeHandlers] }
