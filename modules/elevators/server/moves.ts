import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, updateAll } from '#kit/server/table.ts'
import type { Sql } from '#modules/access/server/public.ts'
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
import { rightState } from '../contract/choices.ts'
import { elevatorRight, type ElevatorRight } from '../contract/right.ts'
import { menu } from '../module.ts'
import { markHolders } from './right.ts'

const findValidWhere = (db: Db, scope: Scope, conditions: readonly Sql[]): Promise<ElevatorRight[]> =>
  findAll(
    db,
    elevatorRight,
    scope,
    {},
    { where: [sql`t.state = ${code(rightState, 'valid')}`, ...conditions] },
  )

/** Valid rights of some people in a project: `holders` selects their ids. */
const findValid = (db: Db, scope: Scope, projectCode: string, holders: Sql): Promise<ElevatorRight[]> =>
  findValidWhere(db, scope, [sql`t.project_code = ${projectCode}`, sql`t.user_id in (${holders})`])

/** Those, in the project, of people who have no other home or work there. */
const findEnding = (db: Db, context: MoveContext): Promise<ElevatorRight[]> =>
  findValid(db, context.scope, context.room.projectCode, leavingProject(context))

async function disableRights(
  tx: Tx,
  scope: Scope,
  rights: readonly ElevatorRight[],
  reason: string,
): Promise<void> {
  await updateAll(tx, elevatorRight, scope, rights, { state: 'disabled' }, { action: 'state', reason })
  markHolders(tx, scope, rights)
}

// BASE-11: rights end with the home; BASE-12: they do not come back by themselves.
registerMoveStep({
  key: 'elevatorRights',
  title: '梯控权限',
  order: 206,
  kinds: ['checkout', 'transfer'],
  needs: menu.right.permissions.view,
  plan: async context => {
    const { length } = await findEnding(context.db, context)
    return length
      ? { lines: [{ label: '停用', value: `${length} 项`, note: '迁出后不再能到这些楼层', tone: 'off' }] }
      : undefined
  },
  apply: async context => {
    const { tx, scope, room } = context
    await disableRights(tx, scope, await findEnding(tx, context), `住户迁出 ${room.path}`)
  },
})

const findDeparted = (db: Db, scope: Scope, departure: Departure): Promise<ElevatorRight[]> =>
  findValid(db, scope, departure.projectCode, withoutPlaceIn(scope.ownerId, departure))

registerDepartureStep({
  key: 'elevatorRights',
  title: '梯控权限',
  order: 207,
  needs: menu.right.permissions.view,
  plan: async (db, scope, departure) => {
    const { length } = await findDeparted(db, scope, departure)
    return length
      ? { label: '停用', value: `${length} 项`, note: '离职后不再能到这些楼层', tone: 'off' }
      : undefined
  },
})

onDeparture(async (tx, scope, departure) =>
  disableRights(tx, scope, await findDeparted(tx, scope, departure), departure.reason),
)

// Of the company's own people, in every project, whichever the caller sees: they have left all of them.
onStaffLeft(async (tx, scope, staffIds, reason) => {
  const everywhere = { ...scope, domain: { all: true, projects: new Map() } }
  const ofStaff = sql`t.staff_id = any(${[...staffIds]}::bigint[])`
  await disableRights(tx, everywhere, await findValidWhere(tx, everywhere, [ofStaff]), `员工${reason}`)
})

onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  await tx.execute(sql`
    update elevator_right
    set user_id = ${kept.id}
    where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})
