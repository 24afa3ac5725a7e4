import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, findPage } from '#kit/server/table.ts'
import type { Id } from '#kit/domain/id.ts'
import { onDataDomainSaved } from '#modules/accounts/server/public.ts'
import {
  leavingProject,
  onDeparture,
  onMobileChanged,
  onResidentsMerged,
  registerDepartureStep,
  registerMoveStep,
  residentDomainFilter,
  withoutPlaceIn,
  type Departure,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import { onStaffLeft } from '#modules/staff/server/public.ts'
import { passCodeState } from '../../contract/choices.ts'
import {
  listPassCodes,
  passCode,
  restorePassCodes,
  revokePassCodes,
  type PassCode,
} from '../../contract/pass-code.ts'
import { menu } from '../../module.ts'
import type { Sql } from '../reach/query.ts'
import { isAsListed, withInvalidReasons } from './pass-code-list.ts'
import { endCodes, insertCodes } from './pass-code.ts'

/** A code is seen by those who see its resident (PERM-6). */
const seenHolders = (scope: Scope) =>
  residentDomainFilter(scope).map(
    condition => sql`(
      t.user_id is null
      or t.user_id in (select t.id from resident t where t.owner_id = ${scope.ownerId} and ${condition})
    )`,
  )

const nameOf = ({ userName, staffName }: PassCode): string => staffName ?? userName ?? ''

/** Those that are still in a state, in one order: others have nothing to change. */
async function requireCodes(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  state: PassCode['state'],
): Promise<readonly PassCode[]> {
  const locked = await findByIds(tx, passCode, scope, ids, { lock: true })
  const among = sql`t.id = any(${locked.map(({ id }) => id)}::bigint[])`
  const found = await findAll(tx, passCode, scope, {}, { where: [among, ...seenHolders(scope)] })
  if (!found.length) throw notFound()
  const other = found.find(row => row.state !== state)
  return other ? refuse(`「${nameOf(other)}」的通行码状态已变化，请刷新后重试`) : found
}

const auditStates = (
  tx: Tx,
  scope: Scope,
  rows: readonly PassCode[],
  after: PassCode['state'],
  reason?: string,
) =>
  audit(
    tx,
    scope,
    rows.map(row => ({
      action: 'state' as const,
      entity: passCode.name,
      entityId: row.id,
      projectCode: row.projectCode,
      before: { state: row.state },
      after: { state: after },
      reason,
    })),
  )

export const passCodeHandlers = [
  reads(listPassCodes, async (query, { db, scope, today }) => {
    const found = await findPage(db, passCode, scope, query, {
      filters: defined(listPassCodes.input.filters),
      where: [
        sql`t.state in ${codes(passCodeState, 'valid', 'revoked')}`,
        ...(query.state?.length ? [isAsListed(scope.ownerId, today)] : []),
        ...seenHolders(scope),
      ],
    })
    return { ...found, rows: await withInvalidReasons(db, scope.ownerId, found.rows, today) }
  }),
  writes(revokePassCodes, async ({ ids, reason }, { tx, scope }) => {
    const rows = await requireCodes(tx, scope, ids, 'valid')
    await endCodes(
      tx,
      scope,
      rows.map(({ id }) => id),
      'revoked',
      reason,
    )
    await auditStates(tx, scope, rows, 'revoked', reason)
  }),
  writes(restorePassCodes, async ({ ids }, { tx, scope, today }) => {
    const rows = await requireCodes(tx, scope, ids, 'revoked')
    await endCodes(
      tx,
      scope,
      rows.map(({ id }) => id),
      'replaced',
    )
    await insertCodes(tx, scope, rows, today)
    await auditStates(tx, scope, rows, 'valid')
  }),
]

// Two people who turn out to be one have one code: those of the records that go end.
onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) => {
  await tx.execute(sql`
    update pass_code
    set user_id = ${kept.id}, state = ${code(passCodeState, 'replaced')}
    where owner_id = ${ownerId} and user_id = any(${[...mergedIds]}::bigint[])
  `)
})

/** Valid codes by a condition on `c`. */
const selectValidCodes = ({ ownerId }: Scope, condition: Sql) => sql<{ id: Id }>`
  select c.id
  from pass_code c
  where c.owner_id = ${ownerId}
    and c.state = ${code(passCodeState, 'valid')}
    and ${notDeleted('c')}
    and ${condition}
`

/** Ends valid codes by a condition on `c`; their owners get other ones when they show them next. */
export async function replaceCodes(tx: Tx, scope: Scope, condition: Sql): Promise<void> {
  const found = await tx.rows(selectValidCodes(scope, condition))
  await endCodes(
    tx,
    scope,
    found.map(({ id }) => id),
    'replaced',
  )
}

// BASE-14: another mobile may be another telephone; the next code is shown to who gets the new link.
onMobileChanged((tx, scope, { id }) => replaceCodes(tx, scope, sql`c.user_id = ${id}`))

/** Of some people in a project: `holders` selects their ids. */
const isOfHolders = (projectCode: string, holders: Sql): Sql =>
  sql`c.project_code = ${projectCode} and c.user_id in (${holders})`

/** Codes, in the project, of those who have no other home or work there. */
const isEnding = (context: MoveContext): Sql => isOfHolders(context.room.projectCode, leavingProject(context))

// BASE-11: the code ends with the home; BASE-12: it does not come back by itself.
registerMoveStep({
  key: 'passCodes',
  title: '通行码',
  order: 206,
  kinds: ['checkout', 'transfer'],
  needs: menu.passCode.permissions.view,
  plan: async context => {
    const found = await context.db.rows(selectValidCodes(context.scope, isEnding(context)))
    return found.length
      ? { lines: [{ label: '失效', value: `${found.length} 个`, note: '迁出后不再能开门', tone: 'off' }] }
      : undefined
  },
  apply: context => replaceCodes(context.tx, context.scope, isEnding(context)),
})

const ofDeparted = (scope: Scope, departure: Departure): Sql =>
  isOfHolders(departure.projectCode, withoutPlaceIn(scope.ownerId, departure))

registerDepartureStep({
  key: 'passCodes',
  title: '通行码',
  order: 206,
  needs: menu.passCode.permissions.view,
  plan: async (db, scope, departure) => {
    const { length } = await db.rows(selectValidCodes(scope, ofDeparted(scope, departure)))
    return length
      ? { label: '失效', value: `${length} 个`, note: '离职后不再能开门', tone: 'off' }
      : undefined
  },
})

onDeparture((tx, scope, departure) => replaceCodes(tx, scope, ofDeparted(scope, departure)))

onStaffLeft((tx, scope, staffIds) =>
  replaceCodes(tx, scope, sql`c.staff_id = any(${[...staffIds]}::bigint[])`),
)

// PERM-6: what an employee shows on the own telephone opens the projects of the account alone.
onDataDomainSaved(async (tx, scope, { managerId, allProject, projectCodes }) => {
  if (allProject) return
  await replaceCodes(
    tx,
    scope,
    sql`c.project_code <> all(${[...projectCodes]}::text[])
      and c.staff_id in (
        select s.id from staff s where s.owner_id = ${scope.ownerId} and s.manager_id = ${managerId}
      )`,
  )
})
