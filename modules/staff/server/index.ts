import './personal-data.ts'
import { joinServers } from '#kit/server/crud.ts'
import { companyData } from './company-data.ts'
import { departmentServer, departmentTreeHandlers } from './department.ts'
import { fingerprintHandlers } from './fingerprint.ts'
import { staffActionHandlers } from './staff-actions.ts'
import { staffListHandlers, staffServer } from './staff.ts'
import { tagServer } from './tag.ts'

export const server = joinServers(departmentServer, staffServer, tagServer, {
  companyData,
  handlers: [...departmentTreeHandlers, ...staffListHandlers, ...staffActionHandlers, ...fingerprintHandlers],
})
