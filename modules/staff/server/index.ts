import { joinServers } from '#kit/server/crud.ts'
import { departmentServer, departmentTreeHandlers } from './department.ts'
import { fingerprintHandlers } from './fingerprint.ts'
import { staffActionHandlers } from './staff-actions.ts'
import { staffListHandlers, staffServer } from './staff.ts'
import { tagServer } from './tag.ts'

export const server = joinServers(departmentServer, staffServer, tagServer, {
  handlers: [...departmentTreeHandlers, ...staffListHandlers, ...staffActionHandlers, ...fingerprintHandlers],
})
