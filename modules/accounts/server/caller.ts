import { codeOf, keyOf } from '#kit/contract/field.ts'
import { sql, type Db, type Database } from '#kit/server/db.ts'
import { unrestrictedDomain, type Caller, type DataDomain } from '#kit/server/scope.ts'
import { code, live } from '#kit/server/sql.ts'
import { modules } from '#modules/index.ts'
import { companyState } from '../contract/company.ts'
import { managerState, managerType } from '../contract/manager.ts'
import { collectPermissions, resolveEffectivePermissions, type ManagerType } from '../domain/permission.ts'

/** Every permission of the installed modules, by key. */
export const allPermissions = collectPermissions(modules)

interface AccountRow {
  readonly id: number
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

export interface AccountCaller extends Caller {
  readonly type: ManagerType
  readonly isActive: boolean
}

/**
 * The accounts of a company as callers with all they may do, inactive ones included; stopped companies have
 * none.
 */
export async function loadAccountCallers(
  db: Pick<Db, 'rows'>,
  ownerId: number,
  ids: readonly number[],
): Promise<Map<number, AccountCaller>> {
  const rows = await db.rows<AccountRow>(sql`
    select m.id, m.state, m.real_name, m.manager_type, m.all_project, m.show_privacy, s.must_change,
      coalesce(r.need_totp, false) and s.totp is null as must_bind,
      least(p.idle_minutes, 480) as idle_minutes, p.closed_modules, r.everything, r.permissions, d.places,
      o.real_name as granter
    from manager m
    join property p on p.owner_id = ${ownerId}
      and p.id = m.owner_id
      and ${live('p')}
      and p.state <> ${code(companyState, 'stopped')}
    join manager_secret s on s.owner_id = ${ownerId} and s.manager_id = m.id
    left join lateral (
      select bool_or(r.everything) as everything, bool_or(r.need_totp) as need_totp,
        array_agg(distinct k.key) filter (where k.key is not null) as permissions
      from role r
      left join lateral unnest(r.permissions) as k(key) on true
      where r.owner_id = ${ownerId} and ${live('r')} and r.id = any(m.role_ids::bigint[])
    ) r on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('project', d.project_code, 'buildings', d.build_codes)) as places
      from manager_data_domain d
      where d.owner_id = ${ownerId} and d.manager_id = m.id
    ) d on true
    left join manager o on o.owner_id = ${ownerId}
      and o.manager_type = ${code(managerType, 'owner')}
      and ${live('o')}
    where m.owner_id = ${ownerId} and m.id = any(${ids}::bigint[]) and ${live('m')}
  `)
  return new Map(rows.map(row => [row.id, toCaller(ownerId, row)]))
}

/** The type behind a stored code; the table's check constraint allows no other. */
export function toManagerType(typeCode: number): ManagerType {
  const type = keyOf(managerType, typeCode)
  if (type === undefined) throw new Error(`unknown account type ${typeCode}`)
  return type
}

function toCaller(ownerId: number, row: AccountRow): AccountCaller {
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
    ...(row.closedModules?.length ? { disabledModules: new Set(row.closedModules) } : {}),
    ...(row.granter === undefined ? {} : { granterLabel: `超级管理员 ${row.granter}` }),
  }
}

/**
 * Loads the caller of a session: who the operator is and what he may do. Undefined when the account or its
 * company may not work any more.
 */
export const createCallerLoader =
  (database: Database) =>
  async (ownerId: number, operatorId: number): Promise<Caller | undefined> => {
    const caller = (await loadAccountCallers(database.reader(ownerId), ownerId, [operatorId])).get(operatorId)
    return caller?.isActive ? caller : undefined
  }
