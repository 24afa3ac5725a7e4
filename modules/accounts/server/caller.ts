import type { Id } from '#kit/domain/id.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { sql, type Db, type Database } from '#kit/server/db.ts'
import { unrestrictedDomain, type Caller, type DataDomain } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { modules } from '#modules/index.ts'
import { companyState } from '../contract/company.ts'
import { managerState, managerType } from '../contract/manager.ts'
import { collectPermissions, resolveEffectivePermissions, type ManagerType } from '../domain/permission.ts'

/** Every permission of the installed modules, by key. */
export const allPermissions = collectPermissions(modules)

interface AccountRow {
  readonly id: Id
  readonly state: number
  readonly realName: string
  readonly managerType: number
  readonly allProject: boolean
  readonly showPrivacy: boolean
  readonly mustChange: boolean
  readonly mustBind: boolean
  readonly idleMinutes: number
  readonly everything?: boolean
  readonly permissions?: string[]
  readonly places?: { project: string; buildings: string[] | null }[]
  readonly granter?: string
  readonly closedModules?: string[]
  readonly closedMenus?: { menu: string; project: string }[]
}

/** An empty list of projects allows nothing (PERM-6); a project without buildings is the whole project. */
const toDomain = (all: boolean, places: AccountRow['places']): DataDomain =>
  all
    ? unrestrictedDomain
    : {
        all: false,
        projects: new Map(
          (places ?? []).map(p => [p.project, p.buildings?.length ? new Set(p.buildings) : null]),
        ),
      }

const accountCallers = sqlFile(import.meta.dirname, 'account-callers.sql', [
  'ownerId',
  'managers',
  'stopped',
  'ownerType',
  'liveCompany',
  'liveRole',
  'liveOwner',
  'liveManager',
])

export interface AccountCaller extends Caller {
  readonly type: ManagerType
  readonly isActive: boolean
}

async function findCompanyProjects(db: Pick<Db, 'rows'>, ownerId: Id): Promise<string[]> {
  const rows = await db.rows<{ projectCode: string }>(
    sql`
      select project_code
      from ${sql.table(estate.table)}
      where owner_id = ${ownerId} and ${notDeleted()}
    `,
  )
  return rows.map(row => row.projectCode)
}

const closedMenusOf = (rows: NonNullable<AccountRow['closedMenus']>): ReadonlyMap<string, Set<string>> =>
  new Map(
    [...Map.groupBy(rows, row => row.menu)].map(([menu, closed]) => [
      menu,
      new Set(closed.map(row => row.project)),
    ]),
  )

/**
 * The accounts of a company as callers with all they may do, inactive ones included; stopped companies have
 * none.
 */
export async function loadAccountCallers(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  ids: readonly Id[],
): Promise<Map<Id, AccountCaller>> {
  const rows = await db.rows(
    accountCallers<AccountRow>({
      ownerId,
      managers: ids,
      stopped: code(companyState, 'stopped'),
      ownerType: code(managerType, 'owner'),
      liveCompany: notDeleted('p'),
      liveRole: notDeleted('r'),
      liveOwner: notDeleted('o'),
      liveManager: notDeleted('m'),
    }),
  )
  // The projects are asked for only where one of them is left out.
  const companyProjects = rows.some(row => row.closedMenus?.length)
    ? await findCompanyProjects(db, ownerId)
    : undefined
  return new Map(
    rows.map(row => [row.id, { ...toCaller(ownerId, row), ...(companyProjects ? { companyProjects } : {}) }]),
  )
}

/** One account of a company with all its permissions; undefined where it cannot sign in. */
export async function findActiveCaller(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  id: Id,
): Promise<AccountCaller | undefined> {
  const rows = await db.rows<{ id: Id }>(sql`
    select id
    from manager
    where owner_id = ${ownerId} and id = ${id} and ${notDeleted()} and state = ${code(managerState, 'on')}
  `)
  return rows.length ? (await loadAccountCallers(db, ownerId, [id])).get(id) : undefined
}

/** Everybody of a company who can sign in, with all permissions: some hundreds at most. */
export async function loadActiveCallers(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
): Promise<readonly AccountCaller[]> {
  const rows = await db.rows<{ id: Id }>(sql`
    select id
    from manager
    where owner_id = ${ownerId} and ${notDeleted()} and state = ${code(managerState, 'on')}
  `)
  const callers = await loadAccountCallers(
    db,
    ownerId,
    rows.map(row => row.id),
  )
  return [...callers.values()]
}

/** The type behind a stored code; the table's check constraint allows no other. */
export function toManagerType(typeCode: number): ManagerType {
  const type = keyOf(managerType, typeCode)
  if (type === undefined) throw new Error(`unknown account type ${typeCode}`)
  return type
}

function toCaller(ownerId: Id, row: AccountRow): AccountCaller {
  const type = toManagerType(row.managerType)
  const isOwner = type === 'owner'
  const roles = [{ everything: row.everything === true, permissions: row.permissions ?? [] }]
  return {
    ownerId,
    operatorId: row.id,
    name: row.realName,
    isOwner,
    type,
    isActive: row.state === codeOf(managerState, 'on'),
    permissions: resolveEffectivePermissions(type, roles, allPermissions),
    domain: toDomain(isOwner || row.allProject, row.places),
    canSeePersonalData: isOwner || row.showPrivacy,
    mustChangePassword: row.mustChange,
    mustBindSecondFactor: row.mustBind,
    idleMinutes: row.idleMinutes,
    ...(row.closedMenus?.length ? { closedMenus: closedMenusOf(row.closedMenus) } : {}),
    ...(row.closedModules?.length ? { disabledModules: new Set(row.closedModules) } : {}),
    ...(row.granter === undefined ? {} : { granterLabel: `超级管理员 ${row.granter}` }),
  }
}

/**
 * Loads the caller of a session: the operator and the permissions. Undefined when the account or its company
 * may not work any more.
 */
export const createCallerLoader =
  (database: Database) =>
  async (ownerId: Id, operatorId: Id): Promise<Caller | undefined> => {
    const caller = (await loadAccountCallers(database.reader(ownerId), ownerId, [operatorId])).get(operatorId)
    return caller?.isActive ? caller : undefined
  }
