import './dependents.ts'
import './personal-data.ts'
import './settings.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { cameraHandlers, cameraServer } from './cameras.ts'
import { readingHandlers, readingServer } from './check-reading.ts'
import { closeCommandWait } from './command-wait.ts'
import { companyData } from './company-data.ts'
import { cameraEndpoints } from './endpoints.ts'
import { tidyReadings } from './tidy.ts'

export const server: ServerModule = {
  ...joinServers(cameraServer, readingServer, {
    handlers: [...cameraHandlers, ...readingHandlers],
    intervals: [tidyReadings],
    rawEndpoints: cameraEndpoints,
  }),
  companyData,
  onClose: async app => closeCommandWait(app),
}
