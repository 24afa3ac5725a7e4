import { modules } from '#modules/index.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Db, type Database } from '#kit/server/db.ts'
import type { Caller, DataDomain } from '#kit/server/scope.ts'
import { unrestrictedDomain } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import { managerType } from '../contract/manager.ts'
import { collectPermissions, resolveEffectivePermissions, type ManagerType } from '../domain/permission.ts'

/** Every right of the installed modules. */
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

/** An empty list of projects is nothing at all (PERM-6); a project without buildings is the whole of it. */
export const toDomain = (all: boolean, places: AccountRow['places']): DataDomain =>
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
  readonly on: boolean
}

/** What the accounts of a company may do, whether they are in use or not. */
export async function loadAccountCallers(
  db: Pick<Db, 'rows'>,
  ownerId: number,
  ids: readonly number[],
): Promise<Map<number, AccountCaller>> {
  const found = await db.rows<AccountRow>(sql`
    select m.id, m.state, m.real_name, m.manager_type, m.all_project, m.show_privacy, s.must_change,
      coalesce(r.need_totp, false) and s.totp is null as must_bind,
      least(p.idle_minutes, 480) as idle_minutes, p.closed_modules, r.everything, r.permissions, d.places,
      o.real_name as granter
    from manager m
    join property p on p.owner_id = m.owner_id and p.id = m.owner_id and ${live('p')} and p.state <> 30
    join manager_secret s on s.owner_id = m.owner_id and s.manager_id = m.id
    left join lateral (
      select bool_or(r.everything) as everything, bool_or(r.need_totp) as need_totp,
        array_agg(distinct k.key) filter (where k.key is not null) as permissions
      from role r
      left join lateral unnest(r.permissions) as k(key) on true
      where r.owner_id = m.owner_id and ${live('r')} and r.id = any(m.role_ids::bigint[])
    ) r on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('project', d.project_code, 'buildings', d.build_codes)) as places
      from manager_data_domain d
      where d.owner_id = m.owner_id and d.manager_id = m.id
    ) d on true
    left join manager o on o.owner_id = m.owner_id and o.manager_type = 10 and ${live('o')}
    where m.owner_id = ${ownerId} and m.id = any(${ids}::bigint[]) and ${live('m')}
  `)
  return new Map(
    found.map(m => {
      const type = keyOf(managerType, m.managerType)!
      const owner = type === 'owner'
      return [
        m.id,
        {
          ownerId,
          operatorId: m.id,
          name: m.realName,
          isOwner: owner,
          type,
          on: m.state === 10,
          permissions: resolveEffectivePermissions(
            type,
            [{ everything: m.everything === true, permissions: m.permissions ?? [] }],
            allPermissions,
          ),
          domain: toDomain(owner || m.allProject, m.places),
          canSeePersonalData: owner || m.showPrivacy,
          mustChangePassword: m.mustChange,
          mustBindSecondFactor: m.mustBind,
          idleMinutes: m.idleMinutes,
          ...(m.closedModules?.length ? { disabledModules: new Set(m.closedModules) } : {}),
          ...(m.granter === undefined ? {} : { granterLabel: `超级管理员 ${m.granter}` }),
        },
      ]
    }),
  )
}

/**
 * Who an operator is and what he may do, for the sessions of the kit; nothing when the account or its company
 * may not work any more.
 */
export const createCallerLoader =
  (database: Database) =>
  async (ownerId: number, operatorId: number): Promise<Caller | undefined> => {
    const m = (await loadAccountCallers(database.reader(ownerId), ownerId, [operatorId])).get(operatorId)
    return m?.on ? m : undefined
  }
