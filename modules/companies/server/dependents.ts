import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import { findAll } from '#kit/server/table.ts'
import { live, code } from '#kit/server/sql.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection, onRoomMoved } from '#modules/rooms/server/public.ts'
import { companyRoom } from '../contract/company.ts'
import { menu } from '../module.ts'
import { workerState } from '../contract/company-worker.ts'

// BASE-5: a room stays while a company has it, a company while it has rooms or people.
registerDependents('room', async (tx, scope, [r]) => [
  {
    what: '企业租用',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from company_room
        where owner_id = ${scope.ownerId}
          and room_id = ${r.id}
          and ${live()}
          and (end_date is null or end_date >= current_date)
      `,
      ),
    ).n,
  },
])

registerDependents('company', async (tx, scope, [c]) => {
  const n = await tx.one<{ rooms: number; workers: number }>(
    sql`
      select (
        select count(*)
        from company_room
        where owner_id = ${scope.ownerId} and company_id = ${c.id} and ${live()}
      )::int as rooms,
        (
          select count(*)
          from company_worker
          where owner_id = ${scope.ownerId} and company_id = ${c.id} and ${live()} and state = ${code(workerState, 'active')}
        )::int as workers
    `,
  )
  return [
    { what: '房间', count: defined(n).rooms },
    { what: '在职员工', count: defined(n).workers },
  ]
})

registerDependents('resident', async (tx, scope, [p]) => [
  {
    what: '企业任职',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from company_worker
        where owner_id = ${scope.ownerId} and user_id = ${p.id} and ${live()} and state <> ${code(workerState, 'left')}
      `,
      ),
    ).n,
  },
])

onRoomMoved(async (tx, scope, r) => {
  await tx.execute(
    sql`
      update company_room
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
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
    return found.length
      ? {
          title: '企业',
          count: found.length,
          lines: found.map((c): PanelSectionLine => ({
            label: c.companyName ?? '--',
            value: `${c.beginDate} 至 ${c.endDate ?? '今'}`,
            ...(c.usage ? { note: c.usage } : {}),
            to: `/customer/companyManage/view?id=${c.companyId}`,
            tone: c.endDate && c.endDate < today ? 'off' : 'done',
          })),
        }
      : undefined
  },
})
