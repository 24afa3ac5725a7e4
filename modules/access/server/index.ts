import './dependents.ts'
import './vip-moves.ts'
import './sync/dirty.ts'
import './sync/face-states.ts'
import { joinServers } from '#kit/server/crud.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { companyData } from './company-data.ts'
import { doorwayDeviceHandlers, doorwayDeviceServer } from './doorway-device.ts'
import { doorwayServer } from './doorway.ts'
import { groupHandlers, groupServer } from './group.ts'
import { publicTimeServer } from './public-time.ts'
import { reachHandlers } from './reach/handlers.ts'
import { syncHandlers } from './sync/handlers.ts'
import { planChanged, planDays } from './sync/jobs.ts'
import { vipDoorwayHandlers, vipDoorwayServer } from './vip-doorway.ts'

const intervals = [defineInterval({ name: 'access-plan', everyMs: 1_000, run: planChanged })]
const crons = [defineCron({ name: 'access-days', schedule: '* * * * *', run: planDays })]

export const server = joinServers(
  doorwayServer,
  doorwayDeviceServer,
  groupServer,
  publicTimeServer,
  vipDoorwayServer,
  {
    companyData,
    intervals,
    crons,
    handlers: [
      ...doorwayDeviceHandlers,
      ...groupHandlers,
      ...vipDoorwayHandlers,
      ...reachHandlers,
      ...syncHandlers,
    ],
  },
)
