import './booth-income.ts'
import { lanePassHandlers } from './lane-pass.ts'
import { payCodeHandlers } from './pay-code.ts'
import { payerHandlers } from './payer.ts'

export const server = { handlers: [...payerHandlers, ...lanePassHandlers, ...payCodeHandlers] }
