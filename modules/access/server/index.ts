import './dependents.ts'
import './personal-data.ts'
import './vip-moves.ts'
import './passage/intake.ts'
import './passage/reading.ts'
import './sync/dirty.ts'
import './sync/face-states.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { cardReaderHandlers } from './card-reader.ts'
import { companyData } from './company-data.ts'
import { doorwayDeviceHandlers, doorwayDeviceServer } from './doorway-device.ts'
import { fingerprintEndpoint } from './fingerprint-link.ts'
import { doorwayServer } from './doorway.ts'
import { groupHandlers, groupServer } from './group.ts'
import { alarmHandlers } from './passage/alarms.ts'
import { ownAccessHandlers } from './own/handlers.ts'
import { personLinkHandlers } from './own/link-handlers.ts'
import { passCodeHandlers } from './own/pass-code-handlers.ts'
import { passageServer } from './passage/list.ts'
import { remoteOpenHandlers } from './passage/remote-open.ts'
import { statisticsHandlers } from './passage/statistics.ts'
import { passageQueues } from './passage/work-queues.ts'
import { intercomServer } from './intercom.ts'
import { processHandlers } from './process.ts'
import { publicTimeServer } from './public-time.ts'
import { reachHandlers } from './reach/handlers.ts'
import { syncHandlers } from './sync/handlers.ts'
import { unsyncedHandlers } from './sync/unsynced.ts'
import { planChanged, planDays } from './sync/jobs.ts'
import { vipDoorwayHandlers, vipDoorwayServer } from './vip-doorway.ts'

const intervals = [defineInterval({ name: 'access-plan', everyMs: 1_000, run: planChanged })]
const crons = [defineCron({ name: 'access-days', schedule: '* * * * *', run: planDays })]

const joined = joinServers(
  doorwayServer,
  doorwayDeviceServer,
  groupServer,
  publicTimeServer,
  vipDoorwayServer,
  passageServer,
  intercomServer,
  {
    companyData,
    intervals,
    crons,
    rawEndpoints: [fingerprintEndpoint],
    handlers: [
      ...cardReaderHandlers,
      ...doorwayDeviceHandlers,
      ...groupHandlers,
      ...vipDoorwayHandlers,
      ...reachHandlers,
      ...processHandlers,
      ...syncHandlers,
      ...alarmHandlers,
      ...remoteOpenHandlers,
      ...statisticsHandlers,
      ...unsyncedHandlers,
      ...passCodeHandlers,
      ...ownAccessHandlers,
      ...personLinkHandlers,
    ],
    queues: passageQueues,
  },
)

export const server: ServerModule = { ...joined, monthlyTables: ['access_record'] }
