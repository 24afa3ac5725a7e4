import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import { code, live } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import { onRoomMoved, registerRoomPanelSection } from '#modules/rooms/server/public.ts'
import { merchant, merchantState } from '../contract/merchant.ts'
import { menu } from '../module.ts'

registerDependents('merchant', async (tx, scope, [m]) => {
  const n = await tx.one<{ staff: number }>(
    sql`
      select count(*)::int as staff
      from merchant_staff
      where owner_id = ${scope.ownerId} and merchant_id = ${m.id} and ${live()}
    `,
  )
  return [
    { what: '员工', count: defined(n).staff },
    { what: '未结清的余额', count: m.balance === 0 ? 0 : 1 },
  ]
})

registerDependents('room', async (tx, scope, [r]) => [
  {
    what: '商家',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from merchant
        where owner_id = ${scope.ownerId} and room_id = ${r.id} and ${live()} and state <> ${code(merchantState, 'ended')}
      `,
      ),
    ).n,
  },
])

onRoomMoved(async (tx, scope, r) => {
  await tx.execute(
    sql`
      update merchant
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
})

registerRoomPanelSection({
  key: 'merchants',
  order: 160,
  needs: menu.merchant.permissions.view,
  load: async ({ db, scope, room: r }) => {
    const found = await findAll(db, merchant, scope, {}, { where: [sql`t.room_id = ${r.id}`] })
    return found.length
      ? {
          title: '商家',
          count: found.length,
          lines: found.map((m): PanelSectionLine => ({
            label: m.name,
            value: labelOf(merchantState, m.state),
            ...(m.category ? { note: m.category } : {}),
            to: `/customer/merchantlist/merchantdetail?id=${m.id}`,
            tone: m.state === 'open' ? 'done' : 'off',
          })),
        }
      : undefined
  },
})
