import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { boothMoneyHandlers } from './booth-money.ts'
import { boothHandlers } from './booths.ts'
import { companyData } from './company-data.ts'
import { flowHandlers, flowServer } from './flow.ts'
import { laneActionHandlers } from './lane-actions.ts'
import { laneViewHandlers } from './lane-views.ts'
import { eventHandlers } from './shift-events.ts'
import { shiftHandlers, shiftServer } from './shifts.ts'

export const server = joinServers(shiftServer, flowServer, {
  companyData,
  handlers: [
    ...boothHandlers,
    ...boothMoneyHandlers,
    ...shiftHandlers,
    ...eventHandlers,
    ...laneViewHandlers,
    ...laneActionHandlers,
    ...flowHandlers,
  ],
})
