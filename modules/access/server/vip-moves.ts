import { sql } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Id } from '#kit/domain/id.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { onResidentsMerged, registerMoveStep, type MoveContext } from '#modules/residents/server/public.ts'
import { vipState } from '../contract/choices.ts'
import { vipDoorway } from '../contract/vip-doorway.ts'
import { menu } from '../module.ts'

/** VIP doors, in the project, of those who have no other home there. */
const endingVips = ({ scope: { ownerId }, room, residencies }: MoveContext) => sql`
  v.owner_id = ${ownerId}
  and v.project_code = ${room.projectCode}
  and ${notDeleted('v')}
  and v.state = ${code(vipState, 'valid')}
  and v.user_id = any(${residencies.map(each => each.userId)}::bigint[])
  and not exists (
    select 1
    from user_room l
    where l.owner_id = ${ownerId}
      and l.user_id = v.user_id
      and l.project_code = ${room.projectCode}
      and ${notDeleted('l')}
      and l.status = ${code(residencyStatus, 'living')}
      and l.room_id <> ${room.id}
  )
`

// BASE-11: rights end with the home; BASE-12: they do not come back by themselves.
registerMoveStep({
  key: 'vipDoorways',
  title: 'VIP 门',
  order: 205,
  kinds: ['checkout', 'transfer'],
  needs: menu.vip.permissions.view,
  plan: async context => {
    const found = await context.db.one<{ count: number }>(sql`
      select count(*)::integer as count from vip_doorway v where ${endingVips(context)}
    `)
    return found?.count
      ? { lines: [{ label: '停用', value: `${found.count} 项`, note: '迁出后不再能开', tone: 'off' }] }
      : undefined
  },
  apply: async context => {
    const { tx, scope } = context
    const ended = await tx.rows<{ id: Id }>(sql`
      update vip_doorway v
      set state = ${code(vipState, 'disabled')}, ${touch(scope, 'v')}
      where ${endingVips(context)}
      returning v.id
    `)
    publishRecordsWritten(tx, scope.ownerId, {
      entity: vipDoorway.name,
      action: 'update',
      ids: ended.map(({ id }) => id),
    })
  },
})

onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  await tx.execute(sql`
    update vip_doorway
    set user_id = ${kept.id}
    where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})
