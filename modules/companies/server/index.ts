import './dependents.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { systemScope } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import { companyHandlers } from './company.ts'
import { companyExport, companyImporter } from './company-import.ts'
import { joinHandlers } from './join.ts'
import { moveOutHandlers } from './move-out.ts'
import { companyRoomHandlers, syncRoomCompanies } from './company-room.ts'
import { workerHandlers } from './company-worker.ts'

const companyImport = importHandlers(companyImporter)

/** Rooms whose company begins today or ended yesterday. May run any number of times. */
const companyRoomCron = defineCron({
  name: 'companies-rooms',
  schedule: '6 0 * * *',
  run: async app => {
    const today = dayOfMoment(fromInstant(app.clock()))
    const before = addDays(today, -1)
    const due = await app.database.reader('*').rows<{ ownerId: number; roomId: number; ended: boolean }>(
      sql`
          select distinct owner_id, room_id, end_date = ${before} as ended
          from company_room
          where ${live()} and (begin_date = ${today} or end_date = ${before})
          order by owner_id, room_id
        `,
    )
    for (const [owner, some] of Map.groupBy(due, d => d.ownerId)) {
      await app.database.tx(owner, tx =>
        syncRoomCompanies(tx, systemScope(owner), [...new Set(some.map(d => d.roomId))], today, {
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
  crons: [companyRoomCron],
}
