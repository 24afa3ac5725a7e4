import './personal-data.ts'
import './dependents.ts'
import { joinServers } from '#kit/server/crud.ts'
import { buildingPickers, buildingServer } from './building.ts'
import { companyData } from './company-data.ts'
import { estateHandlers, estateServer } from './estate.ts'
import { publicAreaServer } from './public-area.ts'

export const server = joinServers(estateServer, buildingServer, publicAreaServer, {
  companyData,
  handlers: [...estateHandlers, ...buildingPickers],
})
