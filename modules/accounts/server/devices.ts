import type { Id } from '#kit/domain/id.ts'
import { createHash } from 'node:crypto'
import { notFound } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { endSessions, listDevices } from '../contract/devices.ts'
import { requireCaller } from './request-actor.ts'

interface DeviceRow {
  readonly id: Id
  readonly entry: string
  readonly agent: string
  readonly ip: string
  readonly loginTime: Moment
  readonly lastTime: Moment
  readonly isCurrent: boolean
}

export const deviceHandlers = [
  anonymous(listDevices, (_, c) => {
    const { ownerId, operatorId } = requireCaller(c)
    const ownHash = createHash('sha256').update(c.token).digest()
    return c.app.database.reader(ownerId).rows<DeviceRow>(sql`
      select id, kind as entry, agent, ip, create_time as login_time, last_time, hash = ${ownHash} as is_current
      from session_token
      where owner_id = ${ownerId}
        and operator_id = ${operatorId}
        and end_time is null
        and expire_time > ${new Date(c.app.clock())}
      order by hash = ${ownHash} desc, last_time desc
      limit 200
    `)
  }),
  anonymous(endSessions, async ({ id }, c) => {
    const { ownerId, operatorId } = requireCaller(c)
    const { sessions } = c.app
    if (id === undefined) return sessions.endAll(ownerId, operatorId, c.token)
    if (!(await sessions.endOne(ownerId, operatorId, id))) throw notFound()
  }),
]
