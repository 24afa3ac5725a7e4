import { sql } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Id } from '#kit/domain/id.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import {
  leavingProject,
  onDeparture,
  onResidentsMerged,
  registerMoveStep,
  withoutPlaceIn,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import { vipState } from '../contract/choices.ts'
import { vipDoorway } from '../contract/vip-doorway.ts'
import { menu } from '../module.ts'

/** VIP doors, in the project, of those who have no other home or work there. */
const endingVips = (context: MoveContext) => sql`
  v.owner_id = ${context.scope.ownerId}
  and v.project_code = ${context.room.projectCode}
  and ${notDeleted('v')}
  and v.state = ${code(vipState, 'valid')}
  and v.user_id in (
    select u.id from resident u where u.owner_id = ${context.scope.ownerId} and ${leavingProject(context)}
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

onDeparture(async (tx, scope, departure) => {
  const { ownerId } = scope
  const ended = await tx.rows<{ id: Id }>(sql`
    update vip_doorway v
    set state = ${code(vipState, 'disabled')}, ${touch(scope, 'v')}
    where v.owner_id = ${ownerId}
      and v.project_code = ${departure.projectCode}
      and ${notDeleted('v')}
      and v.state = ${code(vipState, 'valid')}
      and v.user_id in (${withoutPlaceIn(ownerId, departure)})
    returning v.id
  `)
  const ids = ended.map(({ id }) => id)
  publishRecordsWritten(tx, ownerId, { entity: vipDoorway.name, action: 'update', ids })
})

onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  await tx.execute(sql`
    update vip_doorway
    set user_id = ${kept.id}
    where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})
