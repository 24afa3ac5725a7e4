import './personal-data.ts'
import './deposit-fees.ts'
import './move-step.ts'
import './receipt-lines.ts'
import { joinServers } from '#kit/server/crud.ts'
import { depositHandlers, depositServer } from './deposit.ts'

export const server = joinServers(depositServer, { handlers: depositHandlers })
