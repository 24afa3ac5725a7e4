import { crudHandlers } from '#kit/server/crud.ts'
import { pickLocations, visitorLocations } from '../contract/location.ts'

export const locationServer = crudHandlers(visitorLocations, {
  unique: { visitor_location_name_live: '该项目已有同名门岗，请更换' },
  refusesChangeOf: ['projectCode'],
  pickers: [pickLocations],
})
