import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, updateAll } from '#kit/server/table.ts'
import {
  leavingProject,
  onDeparture,
  onResidentsMerged,
  registerMoveStep,
  withoutPlaceIn,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import { rightState } from '../contract/choices.ts'
import { elevatorRight } from '../contract/right.ts'
import { menu } from '../module.ts'
import { markHolders } from './right.ts'

/** Rights, in the project, of those who have no other home or work there. */
const endingRights = (context: MoveContext) => [
  sql`t.project_code = ${context.room.projectCode}`,
  sql`t.state = ${code(rightState, 'valid')}`,
  sql`t.user_id in (
    select u.id from resident u where u.owner_id = ${context.scope.ownerId} and ${leavingProject(context)}
  )`,
]

// BASE-11: rights end with the home; BASE-12: they do not come back by themselves.
registerMoveStep({
  key: 'elevatorRights',
  title: '梯控权限',
  order: 206,
  kinds: ['checkout', 'transfer'],
  needs: menu.right.permissions.view,
  plan: async context => {
    const { length } = await findAll(
      context.db,
      elevatorRight,
      context.scope,
      {},
      { where: endingRights(context) },
    )
    return length
      ? { lines: [{ label: '停用', value: `${length} 项`, note: '迁出后不再能到这些楼层', tone: 'off' }] }
      : undefined
  },
  apply: async context => {
    const { tx, scope } = context
    const ending = await findAll(tx, elevatorRight, scope, {}, { where: endingRights(context) })
    await updateAll(tx, elevatorRight, scope, ending, { state: 'disabled' })
    markHolders(tx, scope, ending)
  },
})

onDeparture(async (tx, scope, departure) => {
  const where = [
    sql`t.project_code = ${departure.projectCode}`,
    sql`t.state = ${code(rightState, 'valid')}`,
    sql`t.user_id in (${withoutPlaceIn(scope.ownerId, departure)})`,
  ]
  const ending = await findAll(tx, elevatorRight, scope, {}, { where })
  await updateAll(tx, elevatorRight, scope, ending, { state: 'disabled' })
  markHolders(tx, scope, ending)
})

onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  await tx.execute(sql`
    update elevator_right
    set user_id = ${kept.id}
    where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})
