import { parseId, type Id } from '#kit/domain/id.ts'
import { pickFields } from '#kit/contract/field.ts'
import { draftOf } from '#kit/contract/shape.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  insert,
  insertAll,
  projectRequired,
  requireById,
  requireByIds,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import {
  getMyDuty,
  listTypeCoverage,
  orderRole,
  orderRoles,
  personConfig,
  personConfigs,
  saveOrderRole,
  savePersonConfig,
  setMyDuty,
} from '../contract/person-config.ts'
import { findReceivers, listReceivers } from '../contract/receivers.ts'
import { orderType } from '../contract/order-type.ts'
import { isInShift, rankReceivers } from '../domain/dispatch.ts'
import { ancestorsOf } from '../domain/type-tree.ts'
import { accountsOfStaff, assertAccounts, findAccountNames, namesOf } from './accounts.ts'
import { publishOrdersChanged } from './live-orders.ts'
import { loadTypes } from './order-types.ts'
import { findProjectHandlers, loadConfigs, loadLoads, rankForOrder, type RankedLoad } from './receivers.ts'

interface WithPeople {
  readonly managerIds?: readonly string[]
}

async function addNames<T extends WithPeople>(rows: readonly T[], db: Db, ownerId: Id): Promise<T[]> {
  const names = await findAccountNames(
    db,
    ownerId,
    rows.flatMap(row => row.managerIds ?? []),
  )
  return rows.map(row => ({ ...row, managerNames: namesOf(names, row.managerIds) }))
}

/** The accounts that a form names, by themselves or by their employees. */
async function accountsOf(
  tx: Tx,
  ownerId: Id,
  people: { readonly managerIds?: readonly string[]; readonly staffIds?: readonly string[] },
): Promise<string[]> {
  await assertAccounts(tx, ownerId, 'ManagerIDs', people.managerIds ?? [])
  const ofStaff = await accountsOfStaff(tx, ownerId, people.staffIds ?? [])
  const all = [...new Set([...(people.managerIds ?? []), ...ofStaff.map(String)])]
  if (!all.length) throw invalidField('ManagerIDs', '请选择人员')
  return all
}

export const personConfigServer = joinServers(
  crudHandlers(personConfigs, {
    filter: ({ managerId }) => (managerId ? [sql`${String(managerId)} = any(t.manager_ids)`] : []),
    enrich: (rows, { db, scope }) => addNames(rows, db, scope.ownerId),
  }),
  crudHandlers(orderRoles, {
    unique: { work_order_role_name_live: '已有此名称的角色，请更换' },
    enrich: async (rows, { db, scope }) => {
      const types = await loadTypes(db, scope)
      const named = await addNames(rows, db, scope.ownerId)
      return named.map(row => ({
        ...row,
        typeNames: (row.typeIds ?? []).flatMap(id => types.get(parseId(id))?.typeName ?? []),
      }))
    },
  }),
)

type ConfigDraft = NonNullable<typeof savePersonConfig.input.T>

async function saveConfig(c: WriteContext, draft: ConfigDraft) {
  const { tx, scope } = c
  const { id, version, staffIds, typeIds = [], ...configValues } = draft
  if (!hasProject(scope.domain, configValues.projectCode)) throw outOfDomain()
  const stored = id ? await requireById(tx, personConfig, scope, id, { lock: true }) : undefined
  const before = stored?.projectCode === configValues.projectCode ? stored : undefined
  await assertReferences(pickFields(personConfig.fields, ['buildCodes']), configValues, c, { before })
  // Those that are chosen count before the one that a copied configuration had.
  const one = configValues.typeId ? [configValues.typeId] : []
  const types = typeIds.length ? [...new Set(typeIds.map(parseId))] : one
  await requireByIds(tx, orderType, scope, types)
  if (id && types.length > 1) throw invalidField('TypeIDs', '修改时只能选择一个工单类型')
  if ((configValues.shiftBegin === undefined) !== (configValues.shiftEnd === undefined))
    throw invalidField('ShiftEnd', '班次的开始与结束应同时填写，或都不填')
  const values = {
    ...configValues,
    typeId: types[0],
    managerIds: await accountsOf(tx, scope.ownerId, { managerIds: configValues.managerIds, staffIds }),
  }
  const saved = id
    ? await update(tx, personConfig, scope, id, withAllFields(draftOf(personConfig), values), {
        version: version || undefined,
      })
    : await insert(tx, personConfig, scope, values)
  await insertAll(
    tx,
    personConfig,
    scope,
    types.slice(1).map(typeId => ({ ...values, typeId })),
  )
  return (await addNames([saved], tx, scope.ownerId))[0] ?? saved
}

const toCandidate = (person: RankedLoad) => ({
  managerId: person.managerId,
  name: person.name,
  openCount: person.openCount,
  maxOpen: person.maxOpen,
  lateCount: person.load?.lateCount ?? 0,
  isConfigured: person.isConfigured,
  isOnDuty: person.isOnDuty,
  isPaused: person.isPaused,
  canReceive: person.refusal === undefined,
  reason: person.refusal,
  lastDispatchTime: person.load?.lastDispatchTime,
})

/** Employees behind accounts, for boards and pickers. */
async function addStaff<T extends { readonly managerId: Id }>(rows: readonly T[], db: Db, ownerId: Id) {
  const found = await db.rows<{ managerId: Id; staffId: Id; position?: string; departmentName?: string }>(sql`
    select s.manager_id, s.id as staff_id, s.position, d.name as department_name
    from staff s
    left join department d on d.owner_id = ${ownerId} and d.id = s.department_id
    where s.owner_id = ${ownerId}
      and s.manager_id = any(${rows.map(row => row.managerId)}::bigint[])
      and ${notDeleted('s')}
  `)
  const byAccount = new Map(found.map(row => [row.managerId, row]))
  return rows.map(row => ({ ...byAccount.get(row.managerId), ...row }))
}

async function listBoard(db: Db, scope: Scope, projectCode: string, now: Parameters<typeof loadLoads>[3]) {
  if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
  const handlers = await findProjectHandlers(db, scope.ownerId, projectCode)
  const loads = await loadLoads(db, scope.ownerId, handlers, now)
  const configs = await loadConfigs(db, scope.ownerId, projectCode, await allTypeIds(db, scope.ownerId))
  const anywhere = configs.map(config => ({ ...config, buildCodes: [] }))
  const ranked = rankReceivers(
    handlers.map(handler => {
      const load = loads.get(handler.operatorId)
      return {
        managerId: handler.operatorId,
        name: handler.name,
        openCount: load?.openCount ?? 0,
        isPaused: load?.isPaused ?? false,
        lastTurn: load?.lastTurn ?? 0,
      }
    }),
    anywhere,
    undefined,
    now,
  )
  return ranked.map(person => toCandidate({ ...person, load: loads.get(person.managerId) }))
}

const allTypeIds = async (db: Pick<Db, 'rows'>, ownerId: Id): Promise<Id[]> =>
  (
    await db.rows<{ id: Id }>(sql`
      select id
      from work_order_type
      where owner_id = ${ownerId} and state = ${code(enabledState, 'on')} and ${notDeleted()}
    `)
  ).map(row => row.id)

/** Every type with the people it reaches at a place, and whether they are its own. */
async function coverage(
  db: Db,
  scope: Scope,
  projectCode: string,
  buildCode: string | undefined,
  now: Parameters<typeof loadLoads>[3],
) {
  if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
  const types = await loadTypes(db, scope)
  const rows = await db.rows<{
    typeId?: Id
    managerIds?: string[]
    buildCodes?: string[]
    weekdays?: string[]
    shiftBegin?: string
    shiftEnd?: string
  }>(sql`
    select type_id, manager_ids, build_codes, weekdays, shift_begin, shift_end
    from work_order_person_config
    where owner_id = ${scope.ownerId} and project_code = ${projectCode} and ${notDeleted()}
  `)
  const rowsOfPlace = rows.filter(
    row => !row.buildCodes?.length || (buildCode !== undefined && row.buildCodes.includes(buildCode)),
  )
  const names = await findAccountNames(
    db,
    scope.ownerId,
    rowsOfPlace.flatMap(row => row.managerIds ?? []),
  )
  return [...types.values()].map(type => {
    const line = new Set(ancestorsOf(types, type.id).map(t => t.id))
    const own = rowsOfPlace.filter(row => row.typeId === undefined || line.has(row.typeId))
    const managerIds = [...new Set(own.flatMap(row => row.managerIds ?? []))]
    const onDuty = own
      .filter(row => isInShift({ ...row, weekdays: (row.weekdays ?? []).map(Number) }, now))
      .flatMap(row => row.managerIds ?? [])
    return {
      typeId: type.id,
      parentId: type.parentId,
      typeName: type.typeName,
      managerIds,
      managerNames: namesOf(names, managerIds),
      isInherited: managerIds.length > 0 && !own.some(row => row.typeId === type.id),
      onDutyCount: new Set(onDuty).size,
    }
  })
}

async function dutyOf(db: Db, scope: Scope, now: Parameters<typeof loadLoads>[3]) {
  const managerId = scope.operatorId
  const load = (await loadLoads(db, scope.ownerId, [scope], now)).get(managerId)
  const own = await db.one<{ pausedUntil?: typeof now; reason?: string }>(sql`
    select paused_until, reason
    from work_order_duty
    where owner_id = ${scope.ownerId} and manager_id = ${managerId} and is_paused
  `)
  const isPaused = load?.isPaused ?? false
  return {
    managerId,
    isPaused,
    isOnDuty: !isPaused,
    openCount: load?.openCount ?? 0,
    ...(isPaused ? own : {}),
  }
}

export const personConfigHandlers = [
  writes(savePersonConfig, (draft, c) => saveConfig(c, draft)),
  writes(saveOrderRole, async ({ id, version, staffIds, ...roleValues }, c) => {
    const { tx, scope } = c
    const before = id ? await requireById(tx, orderRole, scope, id, { lock: true }) : undefined
    await assertReferences(pickFields(orderRole.fields, ['typeIds']), roleValues, c, { before })
    const values = {
      ...roleValues,
      managerIds: await accountsOf(tx, scope.ownerId, { managerIds: roleValues.managerIds, staffIds }),
    }
    const saved = id
      ? await update(tx, orderRole, scope, id, withAllFields(draftOf(orderRole), values), {
          version: version || undefined,
        })
      : await insert(tx, orderRole, scope, values)
    return (await addNames([saved], tx, scope.ownerId))[0] ?? saved
  }),
  reads(findReceivers, async ({ projectCode, typeId, buildCode, onlyAvailable }, { db, scope, now }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    if (buildCode && !hasBuilding(scope.domain, projectCode, buildCode)) throw outOfDomain()
    await requireById(db, orderType, scope, typeId)
    const ranked = await rankForOrder(db, scope.ownerId, { projectCode, buildCode }, typeId, now)
    const shown = onlyAvailable ? ranked.filter(person => person.refusal === undefined) : ranked
    return addStaff(shown.map(toCandidate), db, scope.ownerId)
  }),
  reads(listReceivers, async ({ projectCode, keyword }, { db, scope, now }) => {
    const project = projectCode || scope.projectCode
    if (!project) throw projectRequired()
    const people = await listBoard(db, scope, project, now)
    const shown = keyword ? people.filter(person => person.name.includes(keyword)) : people
    return addStaff(shown, db, scope.ownerId)
  }),
  reads(listTypeCoverage, ({ projectCode, buildCode }, { db, scope, now }) =>
    coverage(db, scope, projectCode, buildCode, now),
  ),
  reads(getMyDuty, (_, { db, scope, now }) => dutyOf(db, scope, now)),
  writes(setMyDuty, async ({ isPaused, pausedUntil, reason }, { tx, scope, now }) => {
    if (isPaused && pausedUntil !== undefined && pausedUntil <= now)
      throw invalidField('PausedUntil', '暂停至的时间应晚于现在')
    await tx.execute(sql`
      insert into work_order_duty (owner_id, manager_id, is_paused, paused_until, reason)
      values (
        ${scope.ownerId}, ${scope.operatorId}, ${isPaused}, ${(isPaused && pausedUntil) || null}::timestamptz,
        ${(isPaused && reason) || null}
      )
      on conflict (owner_id, manager_id) do update
      set is_paused = excluded.is_paused, paused_until = excluded.paused_until, reason = excluded.reason
    `)
    publishOrdersChanged(tx, scope.ownerId)
    return dutyOf(tx, scope, now)
  }),
]
