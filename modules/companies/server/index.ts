import './guards.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { cron } from '#kit/server/jobs.ts'
import { systemScope } from '#kit/server/scope.ts'
import { companyHandlers } from './company.ts'
import { companyExport, companyImporter } from './import.ts'
import { joinHandlers } from './join.ts'
import { moveOutHandlers } from './move-out.ts'
import { companyRoomHandlers, roomsFollow } from './room.ts'
import { workerHandlers } from './worker.ts'

const companyImport = importHandlers(companyImporter)

/** Rooms whose company begins today or ended yesterday. May run any number of times. */
const turns = cron({
  name: 'companies-rooms',
  at: '6 0 * * *',
  run: async world => {
    const today = dayOfMoment(fromInstant(world.clock()))
    const before = addDays(today, -1)
    const due = await world.store.reader('*').rows<{ ownerId: number; roomId: number; ended: boolean }>(
      sql`
          select distinct owner_id, room_id, end_date = ${before} as ended
          from company_room
          where delete_tag = 0 and (begin_date = ${today} or end_date = ${before})
          order by owner_id, room_id
        `,
    )
    for (const [owner, some] of Map.groupBy(due, d => d.ownerId)) {
      await world.store.tx(owner, tx =>
        roomsFollow(tx, systemScope(owner), [...new Set(some.map(d => d.roomId))], today, {
          given: new Set(some.filter(d => d.ended).map(d => d.roomId)),
        }),
      )
    }
  },
})

export const server: ServerModule = {
  handlers: [
    ...companyHandlers,
    ...companyRoomHandlers,
    ...moveOutHandlers,
    ...workerHandlers,
    ...joinHandlers,
    ...companyImport.handlers,
    ...companyExport.handlers,
  ],
  jobs: [companyImport.job, companyExport.job],
  crons: [turns],
}
