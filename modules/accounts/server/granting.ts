import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { whyCannotGrant, whyCannotManage } from '../domain/granting.ts'
import { addViewPermissions } from '../domain/permission.ts'
import { loadAccountCallers, allPermissions, type AccountCaller } from './caller.ts'

export const getPermissionLabel = (key: string): string => allPermissions.get(key)?.label ?? key

export const refuseIf = (why: string | undefined): void => {
  if (why) refuse(why)
}

/**
 * The accounts that `scope` may act upon; refuses those he may not (PERM-4). Their rows are held until the
 * transaction ends.
 */
export async function requireManageableAccounts(
  tx: Tx,
  scope: Scope,
  ids: readonly number[],
): Promise<AccountCaller[]> {
  await tx.execute(
    sql`
      select id
      from manager
      where owner_id = ${scope.ownerId} and id = any(${ids}::bigint[])
      order by id
      for update
    `,
  )
  const found = await loadAccountCallers(tx, scope.ownerId, ids)
  return ids.map(id => {
    const p = found.get(id)
    if (!p) throw notFound()
    refuseIf(whyCannotManage(scope, p, getPermissionLabel))
    return p
  })
}

interface RoleRow {
  readonly id: number
  readonly roleName: string
  readonly everything: boolean
  readonly permissions?: string[]
}

export const getRolePermissionKeys = (r: {
  readonly everything: boolean
  readonly permissions?: readonly string[]
}): string[] =>
  r.everything ? [...allPermissions.keys()] : addViewPermissions(r.permissions ?? [], allPermissions)

/**
 * The roles by id, held against deletion; refuses one that is not there and rights the granter lacks himself.
 * Roles in `had` are not asked again.
 */
export async function requireGrantableRoles(
  tx: Tx,
  scope: Scope,
  roleIds: readonly string[],
  had: readonly string[] = [],
): Promise<void> {
  const ids = roleIds.map(Number)
  const found = await tx.rows<RoleRow>(
    sql`
      select id, role_name, everything, permissions
      from role
      where owner_id = ${scope.ownerId} and ${live()} and id = any(${ids}::bigint[])
      for share
    `,
  )
  if (found.length !== new Set(ids).size)
    throw invalidInput([{ Field: 'RoleIDs', Message: '所选角色不存在或已被删除，请刷新后重选' }])
  for (const r of found.filter(x => !had.includes(String(x.id)))) {
    refuseIf(whyCannotGrant(scope, getRolePermissionKeys(r), getPermissionLabel))
  }
}

/**
 * After the commit: open sessions read their rights anew, and their screens are told (issue: a change takes
 * effect at once).
 */
export function refreshSessionsOnCommit(
  tx: Tx,
  app: App,
  owner: number,
  who: readonly number[] | 'all',
): void {
  tx.onCommit(() => {
    const done =
      who === 'all'
        ? app.sessions.refresh(owner, 'all')
        : Promise.all(who.map(id => app.sessions.refresh(owner, id)))
    void Promise.resolve(done)
      .catch(err => app.log.warn({ err }, 'sessions not refreshed'))
      .then(() => app.live.publish(owner, who, 'rights'))
  })
}

/** After the commit: every session of these accounts is over. */
export function endSessionsOnCommit(tx: Tx, app: App, owner: number, who: readonly number[]): void {
  tx.onCommit(() => {
    for (const id of who) {
      void app.sessions
        .endAll(owner, id)
        .catch(err => app.log.warn({ err }, 'sessions not ended'))
        .then(() => app.live.publish(owner, [id], 'signed-out'))
    }
  })
}

export const auditManagerChange = (
  tx: Tx,
  scope: Scope,
  id: number,
  reason: string,
  action: 'grant' | 'state' | 'update' = 'update',
): Promise<void> => audit(tx, scope, [{ action, entity: 'manager', entityId: id, reason }])
