import type { Id } from '#kit/domain/id.ts'
import { createHash } from 'node:crypto'
import type { Row } from '#kit/contract/entity.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { listManagers, type manager } from '../contract/manager.ts'
import { loadStaffIds } from './staff-link.ts'

export type Manager = Row<typeof manager>
export type ManagerFilter = NonNullable<typeof listManagers.input.T>

interface AccountDetails {
  readonly id: Id
  readonly roleNames?: string[]
  readonly totpOn: boolean
  readonly mustChange: boolean
  readonly sessions: number
  readonly projects: number
}

const loadAccountDetails = (db: Db, ownerId: Id, ids: readonly Id[], now: Date): Promise<AccountDetails[]> =>
  db.rows<AccountDetails>(sql`
    select m.id,
      s.totp is not null as totp_on,
      s.must_change,
      (
        select array_agg(r.role_name order by r.role_name)
        from role r
        where r.owner_id = ${ownerId} and ${notDeleted('r')} and r.id = any(m.role_ids::bigint[])
      ) as role_names,
      (
        select count(*)
        from session_token k
        where k.owner_id = ${ownerId}
          and k.operator_id = m.id
          and k.end_time is null
          and k.expire_time > ${now}
      ) as sessions,
      (
        select count(*) from manager_data_domain d where d.owner_id = ${ownerId} and d.manager_id = m.id
      ) as projects
    from manager m
    join manager_secret s on s.owner_id = ${ownerId} and s.manager_id = m.id
    where m.owner_id = ${ownerId} and m.id = any(${ids}::bigint[])
  `)

/**
 * The accounts that are locked now. Attempts are stored by the hash of the login name (`login-attempts.ts`).
 */
async function findLockedIds(app: App, managers: readonly Manager[], now: Date): Promise<Set<Id>> {
  const idByKey = new Map(
    managers.map(m => [createHash('sha256').update(m.loginCode.toLowerCase()).digest('hex'), m.id]),
  )
  const locks = await app.database.reader('*').rows<{ key: string }>(
    sql`
      select encode(key, 'hex') as key
      from login_attempt
      where lock_until > ${now}
        and key in (select decode(k, 'hex') from unnest(${[...idByKey.keys()]}::text[]) k)
    `,
  )
  return new Set(locks.flatMap(lock => idByKey.get(lock.key) ?? []))
}

const describePlace = (m: Manager, details: AccountDetails | undefined): string => {
  if (m.allProject) return '全部项目'
  return details?.projects ? `${details.projects} 个项目` : '未分配'
}

/**
 * Adds the derived fields of an account: role names, data domain, open sessions, and whether it is locked
 * now.
 */
export async function withAccountDetails(
  db: Db,
  scope: Scope,
  app: App,
  managers: readonly Manager[],
): Promise<Manager[]> {
  if (!managers.length) return []
  const now = new Date(app.clock())
  const ids = managers.map(m => m.id)
  const [rows, lockedIds, staffIds] = await Promise.all([
    loadAccountDetails(db, scope.ownerId, ids, now),
    findLockedIds(app, managers, now),
    loadStaffIds(db, scope.ownerId, ids),
  ])
  const detailsById = new Map(rows.map(row => [row.id, row]))
  return managers.map(({ wechatOpenId, ...rest }) => {
    const details = detailsById.get(rest.id)
    return {
      ...rest,
      roleNames: details?.roleNames ?? [],
      totpOn: details?.totpOn ?? false,
      mustChange: details?.mustChange ?? false,
      sessions: details?.sessions ?? 0,
      wechatBound: wechatOpenId !== undefined,
      place: describePlace(rest, details),
      // The employee has the link (通讯录); an account has none of its own.
      staffId: staffIds.get(rest.id),
      ...(lockedIds.has(rest.id) && rest.state === 'on' ? { state: 'locked' as const } : {}),
    }
  })
}

export const managerFilters = listManagers.input.filters ?? []

/** The list's query, shared with its export (EXP-1). `t` is the manager. */
export function buildManagerQuery(
  ownerId: Id,
  { roleId, projectCode, firstSignInPending, ...query }: ManagerFilter,
): {
  readonly q: Omit<ManagerFilter, 'roleId' | 'projectCode' | 'firstSignInPending'>
  readonly where: RawBuilder<unknown>[]
} {
  const where: RawBuilder<unknown>[] = []
  if (roleId !== undefined) {
    where.push(sql`${String(roleId)} = any(t.role_ids)`)
  }
  if (projectCode !== undefined) {
    where.push(
      sql`(
        t.all_project
        or exists (
          select 1
          from manager_data_domain d
          where d.owner_id = ${ownerId} and d.manager_id = t.id and d.project_code = ${projectCode}
        )
      )`,
    )
  }
  if (firstSignInPending !== undefined) {
    where.push(
      sql`(
        t.last_login_time is null
        or exists (
          select 1
          from manager_secret s
          where s.owner_id = ${ownerId} and s.manager_id = t.id and s.must_change
        )
      ) = ${firstSignInPending}`,
    )
  }
  return { q: query, where }
}
