import './booth-income.ts'
import { lanePassHandlers } from './lane-pass.ts'
import { payCodeHandlers } from './pay-code.ts'
import { payerHandlers } from './payer.ts'
import './returned-income.ts'

export const server = { handlers: [...payerHandlers, ...lanePassHandlers, ...payCodeHandlers] }
