import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows, registerDependents } from '#kit/server/dependents.ts'
import { code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { onRoomMoved, registerRoomPanelSection, sectionOfRecords } from '#modules/rooms/server/public.ts'
import { merchant, merchantState, type Merchant } from '../contract/merchant.ts'
import { menu, merchantScreens } from '../module.ts'

registerDependentRows('merchant', {
  label: '员工',
  table: 'merchant_staff',
  where: (m: Merchant) => sql`merchant_id = ${m.id}`,
})

registerDependents('merchant', async (_tx, _scope, [m]) => [
  { label: '未结清的余额', count: m.balance === 0 ? 0 : 1 },
])

registerDependentRows('room', {
  label: '商户',
  table: 'merchant',
  where: (r: Room) => sql`room_id = ${r.id} and state <> ${code(merchantState, 'ended')}`,
})

onRoomMoved(async (tx, scope, row) => {
  await tx.execute(
    sql`
      update merchant
      set build_code = ${row.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${row.id}
    `,
  )
})

registerRoomPanelSection({
  key: 'merchants',
  order: 160,
  needs: menu.merchant.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findAll(db, merchant, scope, {}, { where: [sql`t.room_id = ${room.id}`] })
    return sectionOfRecords('商户', found, merchantRow => ({
      label: merchantRow.name,
      value: labelOf(merchantState, merchantRow.state),
      ...(merchantRow.category ? { note: merchantRow.category } : {}),
      to: `${merchantScreens.paths.detail}?id=${merchantRow.id}`,
      tone: merchantRow.state === 'open' ? 'done' : 'off',
    }))
  },
})
