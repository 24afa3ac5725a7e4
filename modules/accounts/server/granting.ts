import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { World } from '#kit/server/world.ts'
import { cannotGrant, cannotTouch } from '../domain/granting.ts'
import { completed } from '../domain/rights.ts'
import { powersOf, rights, type Power } from './caller.ts'

export const labelOf = (key: string): string => rights.get(key)?.label ?? key

export const orRefuse = (why: string | undefined): void => {
  if (why) refuse(why)
}

/**
 * The accounts that `scope` may act upon; refuses those he may not (PERM-4). Their rows are held until the
 * transaction ends.
 */
export async function touchable(tx: Tx, scope: Scope, ids: readonly number[]): Promise<Power[]> {
  await tx.run(
    sql`
      select id
      from manager
      where owner_id = ${scope.ownerId} and id = any(${ids}::bigint[])
      order by id
      for update
    `,
  )
  const found = await powersOf(tx, scope.ownerId, ids)
  return ids.map(id => {
    const p = found.get(id)
    if (!p) throw absent()
    orRefuse(cannotTouch(scope, p, labelOf))
    return p
  })
}

interface RoleRow {
  readonly id: number
  readonly roleName: string
  readonly everything: boolean
  readonly permissions?: string[]
}

export const keysOfRole = (r: {
  readonly everything: boolean
  readonly permissions?: readonly string[]
}): string[] => (r.everything ? [...rights.keys()] : completed(r.permissions ?? [], rights))

/**
 * The roles by id, held against deletion; refuses one that is not there and rights the granter lacks himself.
 * Roles in `had` are not asked again.
 */
export async function grantable(
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
      where owner_id = ${scope.ownerId} and delete_tag = 0 and id = any(${ids}::bigint[])
      for share
    `,
  )
  if (found.length !== new Set(ids).size)
    throw wrong([{ Field: 'RoleIDs', Message: '所选角色不存在或已被删除，请刷新后重选' }])
  for (const r of found.filter(x => !had.includes(String(x.id)))) {
    orRefuse(cannotGrant(scope, keysOfRole(r), labelOf))
  }
}

/**
 * After the commit: open sessions read their rights anew, and their screens are told (issue: a change takes
 * effect at once).
 */
export function rightsChanged(tx: Tx, world: World, owner: number, who: readonly number[] | 'all'): void {
  tx.after(() => {
    const done =
      who === 'all'
        ? world.sessions.refresh(owner, 'all')
        : Promise.all(who.map(id => world.sessions.refresh(owner, id)))
    void Promise.resolve(done)
      .catch(err => world.log.warn({ err }, 'sessions not refreshed'))
      .then(() => world.live.tell(owner, who, 'rights'))
  })
}

/** After the commit: every session of these accounts is over. */
export function sessionsOver(tx: Tx, world: World, owner: number, who: readonly number[]): void {
  tx.after(() => {
    for (const id of who) {
      void world.sessions
        .endAll(owner, id)
        .catch(err => world.log.warn({ err }, 'sessions not ended'))
        .then(() => world.live.tell(owner, [id], 'signed-out'))
    }
  })
}

export const noteOf = (
  tx: Tx,
  scope: Scope,
  id: number,
  reason: string,
  action: 'grant' | 'state' | 'update' = 'update',
): Promise<void> => audit(tx, scope, [{ action, entity: 'manager', entityId: id, reason }])
