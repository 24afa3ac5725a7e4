import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import {
  leavingProject,
  onDeparture,
  onResidentsMerged,
  registerDepartureStep,
  registerMoveStep,
  withoutPlaceIn,
  type Departure,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import { onStaffLeft } from '#modules/staff/server/public.ts'
import { vipState } from '../contract/choices.ts'
import { vipDoorway } from '../contract/vip-doorway.ts'
import { menu } from '../module.ts'
import type { Sql } from './reach/query.ts'

const valid = ({ ownerId }: Scope): Sql =>
  sql`v.owner_id = ${ownerId} and ${notDeleted('v')} and v.state = ${code(vipState, 'valid')}`

/** Valid VIP doors of some people in a project: `holders` selects their ids. */
const validVips = (scope: Scope, projectCode: string, holders: Sql): Sql =>
  sql`${valid(scope)} and v.project_code = ${projectCode} and v.user_id in (${holders})`

/** Those, in the project, of people who have no other home or work there. */
const endingVips = (context: MoveContext) =>
  validVips(context.scope, context.room.projectCode, leavingProject(context))

/** Disables those of a condition on `v`, all of which are valid, and says why in their history. */
async function disableVips(tx: Tx, scope: Scope, condition: Sql, reason: string): Promise<void> {
  const disabled = await tx.rows<{ id: Id; projectCode: string }>(sql`
    update vip_doorway v
    set state = ${code(vipState, 'disabled')}, ${touch(scope, 'v')}
    where ${condition}
    returning v.id, v.project_code
  `)
  await audit(
    tx,
    scope,
    disabled.map(({ id, projectCode }) => ({
      action: 'state',
      entity: vipDoorway.name,
      entityId: id,
      projectCode,
      before: { state: 'valid' },
      after: { state: 'disabled' },
      reason,
    })),
  )
  const ids = disabled.map(({ id }) => id)
  publishRecordsWritten(tx, scope.ownerId, { entity: vipDoorway.name, action: 'update', ids })
}

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
  apply: context =>
    disableVips(context.tx, context.scope, endingVips(context), `住户迁出 ${context.room.path}`),
})

const departedVips = (scope: Scope, departure: Departure): Sql =>
  validVips(scope, departure.projectCode, withoutPlaceIn(scope.ownerId, departure))

registerDepartureStep({
  key: 'vipDoorways',
  title: 'VIP 门',
  order: 205,
  needs: menu.vip.permissions.view,
  plan: async (db, scope, departure) => {
    const found = await db.one<{ count: number }>(sql`
      select count(*)::integer as count from vip_doorway v where ${departedVips(scope, departure)}
    `)
    return found?.count
      ? { label: '停用', value: `${found.count} 项`, note: '离职后不再能开', tone: 'off' }
      : undefined
  },
})

onDeparture((tx, scope, departure) =>
  disableVips(tx, scope, departedVips(scope, departure), departure.reason),
)

// Of the company's own people, in every project: who comes back is allowed again by hand.
onStaffLeft((tx, scope, staffIds, reason) => {
  const ofStaff = sql`v.staff_id = any(${[...staffIds]}::bigint[])`
  return disableVips(tx, scope, sql`${valid(scope)} and ${ofStaff}`, `员工${reason}`)
})

onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  await tx.execute(sql`
    update vip_doorway
    set user_id = ${kept.id}
    where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})
