import { parseId, type Id } from '#kit/domain/id.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { whyCannotGrant, whyCannotManage } from '../domain/granting.ts'
import { addViewPermissions } from '../domain/permission.ts'
import { loadAccountCallers, allPermissions, type AccountCaller } from './caller.ts'

export const getPermissionLabel = (key: string): string => allPermissions.get(key)?.label ?? key

export const refuseIf = (why: string | undefined): void => {
  if (why) refuse(why)
}

/**
 * The accounts that `scope` may act on; refuses the others (PERM-4). Their rows are locked until the
 * transaction ends.
 */
export async function requireManageableAccounts(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
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
    const account = found.get(id)
    if (!account) throw notFound()
    refuseIf(whyCannotManage(scope, account, getPermissionLabel))
    return account
  })
}

interface RoleRow {
  readonly id: Id
  readonly roleName: string
  readonly everything: boolean
  readonly permissions?: string[]
}

/** What a role allows, the view permissions that follow from it included. */
export const getRolePermissionKeys = (role: {
  readonly everything: boolean
  readonly permissions?: readonly string[]
}): string[] =>
  role.everything ? [...allPermissions.keys()] : addViewPermissions(role.permissions ?? [], allPermissions)

/**
 * Refuses roles that do not exist and permissions that the granter lacks (PERM-4); locks them against
 * deletion. Roles in `heldBefore` are not checked again.
 */
export async function requireGrantableRoles(
  tx: Tx,
  scope: Scope,
  roleIds: readonly string[],
  heldBefore: readonly string[] = [],
): Promise<void> {
  const ids = roleIds.map(parseId)
  const found = await tx.rows<RoleRow>(
    sql`
      select id, role_name, everything, permissions
      from role
      where owner_id = ${scope.ownerId} and ${notDeleted()} and id = any(${ids}::bigint[])
      for share
    `,
  )
  if (found.length !== new Set(ids).size)
    throw invalidInput([{ Field: 'RoleIDs', Message: '所选角色不存在或已被删除，请刷新后重选' }])
  for (const role of found) {
    if (heldBefore.includes(String(role.id))) continue
    refuseIf(whyCannotGrant(scope, getRolePermissionKeys(role), getPermissionLabel))
  }
}

/** Screens that show who may do what request it again. */
const publishAccountsChanged = (app: App, ownerId: Id): void =>
  app.live.publish(ownerId, { topic: 'accounts' }, 'accounts')

/**
 * After the commit the open sessions reload their permissions and their screens are notified: a change takes
 * effect at once.
 */
export function refreshSessionsOnCommit(
  tx: Tx,
  app: App,
  ownerId: Id,
  operators: readonly Id[] | 'all',
): void {
  tx.onCommit(() => {
    const refreshed =
      operators === 'all'
        ? app.sessions.refresh(ownerId, 'all')
        : Promise.all(operators.map(id => app.sessions.refresh(ownerId, id)))
    return Promise.resolve(refreshed)
      .catch(err => app.log.warn({ err }, 'sessions not refreshed'))
      .then(() => {
        app.live.publish(ownerId, operators, 'rights')
        publishAccountsChanged(app, ownerId)
      })
  })
}

/** After the commit every session of these accounts ends. */
export function endSessionsOnCommit(tx: Tx, app: App, ownerId: Id, operators: readonly Id[]): void {
  tx.onCommit(async () => {
    publishAccountsChanged(app, ownerId)
    await Promise.all(
      operators.map(id =>
        app.sessions
          .endAll(ownerId, id)
          .catch(err => app.log.warn({ err }, 'sessions not ended'))
          .then(() => app.live.publish(ownerId, [id], 'signed-out')),
      ),
    )
  })
}

export const auditManagerChange = (
  tx: Tx,
  scope: Scope,
  id: Id,
  reason: string,
  action: 'grant' | 'state' | 'update' = 'update',
): Promise<void> => audit(tx, scope, [{ action, entity: 'manager', entityId: id, reason }])
