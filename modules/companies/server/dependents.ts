import { recordPath } from '#kit/contract/crud-screens.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { findAll } from '#kit/server/table.ts'
import { code } from '#kit/server/sql.ts'
import type { Resident } from '#modules/residents/contract/resident.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { registerRoomPanelSection, sectionOfRecords, onRoomMoved } from '#modules/rooms/server/public.ts'
import { companyRoom, type Company } from '../contract/company.ts'
import { menu, paths } from '../module.ts'
import { workerState } from '../contract/company-worker.ts'

// BASE-5: a room stays while a company has it, a company while it has rooms or people.
registerDependentRows('room', {
  label: '企业租用',
  table: 'company_room',
  where: (r: Room, { time }) =>
    sql`room_id = ${r.id} and (end_date is null or end_date >= ${dayOfInstant(Date.parse(time))})`,
})

registerDependentRows(
  'company',
  { label: '房间', table: 'company_room', where: (c: Company) => sql`company_id = ${c.id}` },
  {
    label: '在职员工',
    table: 'company_worker',
    where: (c: Company) => sql`company_id = ${c.id} and state = ${code(workerState, 'active')}`,
  },
)

registerDependentRows('resident', {
  label: '企业任职',
  table: 'company_worker',
  where: (r: Resident) => sql`user_id = ${r.id} and state <> ${code(workerState, 'left')}`,
})

onRoomMoved(async (tx, scope, row) => {
  await tx.execute(
    sql`
      update company_room
      set build_code = ${row.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${row.id}
    `,
  )
})

registerRoomPanelSection({
  key: 'companies',
  order: 150,
  needs: menu.company.permissions.view,
  load: async ({ db, scope, room, today }) => {
    const found = await findAll(
      db,
      companyRoom,
      scope,
      { order: '-beginDate' },
      { where: [sql`t.room_id = ${room.id}`], limit: 10 },
    )
    return sectionOfRecords('企业', found, stay => ({
      label: stay.companyName ?? '--',
      value: `${stay.beginDate} 至 ${stay.endDate ?? '今'}`,
      ...(stay.usage ? { note: stay.usage } : {}),
      to: recordPath(paths.detail, stay.companyId),
      tone: stay.endDate && stay.endDate < today ? 'off' : 'done',
    }))
  },
})
