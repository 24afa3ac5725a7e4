import './personal-data.ts'
import type { Id } from '#kit/domain/id.ts'
import './presence.ts'
import './dependents.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { joinServers } from '#kit/server/crud.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { companyQrHandlers, companyServer } from './company.ts'
import { importStateHandlers } from './import-state.ts'
import { joinHandlers } from './join.ts'
import { moveOutHandlers } from './move-out.ts'
import { companyRoomHandlers, companyRoomServer, syncRoomCompanies } from './company-room.ts'
import { workerHandlers, workerServer } from './company-worker.ts'
import { menuCounts, workQueues } from './work-queues.ts'

/** Rooms whose company begins today or ended yesterday. May run any number of times. */
const companyRoomCron = defineCron({
  name: 'companies-rooms',
  schedule: '6 0 * * *',
  run: async app => {
    const today = dayOfMoment(fromInstant(app.clock()))
    const before = addDays(today, -1)
    const due = await app.database.reader('*').rows<{ ownerId: Id; roomId: Id; ended: boolean }>(
      sql`
          select distinct owner_id, room_id, end_date = ${before} as ended
          from company_room
          where ${notDeleted()} and (begin_date = ${today} or end_date = ${before})
          order by owner_id, room_id
        `,
    )
    for (const [ownerId, some] of Map.groupBy(due, d => d.ownerId)) {
      await app.database.tx(ownerId, tx =>
        syncRoomCompanies(tx, clockScope(app, ownerId), [...new Set(some.map(d => d.roomId))], today, {
          returned: new Set(some.filter(d => d.ended).map(d => d.roomId)),
        }),
      )
    }
  },
})

export const server = joinServers(companyServer, companyRoomServer, workerServer, {
  queues: workQueues,
  menuCounts,
  handlers: [
    ...companyQrHandlers,
    ...companyRoomHandlers,
    ...moveOutHandlers,
    ...workerHandlers,
    ...joinHandlers,
    ...importStateHandlers,
  ],
  crons: [companyRoomCron],
})
