import type { Id } from '#kit/domain/id.ts'
import type { Row } from '#kit/contract/entity.ts'
import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  findAll,
  findByIds,
  findPage,
  insert,
  remove,
  requireById,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { modules } from '#modules/index.ts'
import {
  addRole,
  deleteRoles,
  editRole,
  getRole,
  getRoleMenuTree,
  listRoleOptions,
  listRoles,
  role,
} from '../contract/role.ts'
import { formatPermissionNames, whyCannotGrant } from '../domain/granting.ts'
import { addViewPermissions, buildMenuTree, unknownPermissionFaults } from '../domain/permission.ts'
import { notifyPermissionsChanged } from './account-notifications.ts'
import { allPermissions } from './caller.ts'
import {
  endSessionsOnCommit,
  getPermissionLabel,
  getRolePermissionKeys,
  refreshSessionsOnCommit,
  refuseIf,
} from './granting.ts'
import { findAccountsMissingFactor } from './second-factor.ts'

type Role = Row<typeof role>
const roleFilters = listRoles.input.filters ?? []

async function withUserCounts(db: Db, scope: Scope, roles: readonly Role[]): Promise<Role[]> {
  const rows = await db.rows<{ roleId: string; users: number }>(
    sql`
      select r.id as role_id, count(*) as users
      from manager m, unnest(m.role_ids) as r(id)
      where m.owner_id = ${scope.ownerId}
        and ${notDeleted('m')}
        and r.id = any(${roles.map(r => String(r.id))}::text[])
      group by 1
    `,
  )
  const users = new Map(rows.map(row => [row.roleId, row.users]))
  return roles.map(r => ({ ...r, userCount: users.get(String(r.id)) ?? 0 }))
}

/** The accounts that have a role. */
const findRoleHolders = (tx: Tx, scope: Scope, id: Id): Promise<{ id: Id; realName: string }[]> =>
  tx.rows(
    sql`
      select id, real_name
      from manager
      where owner_id = ${scope.ownerId} and ${notDeleted()} and ${String(id)} = any(role_ids)
      order by id
    `,
  )

const itemsOnlyIn = (a: readonly string[], b: readonly string[]): string[] => a.filter(x => !b.includes(x))

function assertKnownPermissions(keys: readonly string[]): void {
  const faults = unknownPermissionFaults(keys, allPermissions)
  if (faults.length) throw invalidInput(faults)
}

/** `角色「出纳」，新增「…」，取消「…」`: what a change of permissions says to those who have the role. */
function describeRoleChange(
  roleName: string,
  granted: readonly string[],
  revoked: readonly string[],
): string {
  const parts = [`角色「${roleName}」`]
  if (granted.length) {
    parts.push(`新增${formatPermissionNames(granted, getPermissionLabel)}`)
  }
  if (revoked.length) {
    parts.push(`取消${formatPermissionNames(revoked, getPermissionLabel)}`)
  }
  return parts.join('，')
}

/** Refuses to delete a built-in role, one in use, and one that allows more than the caller may. */
async function assertRoleDeletable(tx: Tx, scope: Scope, row: Role): Promise<void> {
  if (row.builtIn) refuse(`「${row.roleName}」是内置角色，不能删除`)
  const holders = await findRoleHolders(tx, scope, row.id)
  if (holders.length) {
    const names = holders.slice(0, 3).map(holder => holder.realName)
    const others = holders.length > 3 ? '等' : ''
    refuse(
      `角色「${row.roleName}」还有 ${holders.length} 个账号在用（${names.join('、')}${others}），请先换成其他角色`,
    )
  }
  refuseIf(whyCannotGrant(scope, getRolePermissionKeys(row), getPermissionLabel))
}

export const roleHandlers = [
  reads(listRoles, async (input, { db, scope }) => {
    const page = await findPage(db, role, scope, input, { filters: roleFilters })
    return { ...page, rows: await withUserCounts(db, scope, page.rows) }
  }),
  reads(listRoleOptions, (_, { db, scope }) =>
    findAll(db, role, scope, {}, { keys: ['id', 'roleName', 'roleDesc', 'everything'], limit: 500 }),
  ),
  reads(getRole, async ({ id }, { db, scope }) => {
    const [found] = await withUserCounts(db, scope, [await requireById(db, role, scope, id)])
    if (!found) throw notFound()
    return found
  }),
  reads(getRoleMenuTree, async ({ ids }, { db, scope }) => {
    const keys = new Set((await findByIds(db, role, scope, ids ?? [])).flatMap(getRolePermissionKeys))
    return buildMenuTree(
      modules.filter(manifest => !scope.disabledModules?.has(manifest.name)),
      key => keys.has(key),
      'all',
    )
  }),

  writes(addRole, async ({ id: _id, version: _version, ...draft }, { tx, scope }) => {
    assertKnownPermissions(draft.permissions ?? [])
    const permissions = addViewPermissions(draft.permissions ?? [], allPermissions)
    refuseIf(whyCannotGrant(scope, permissions, getPermissionLabel))
    return insert(tx, role, scope, { ...draft, permissions, builtIn: false, everything: false })
  }),
  writes(editRole, async ({ id, version, ...draft }, { tx, scope, app }) => {
    if (!id) return refuse('缺少要修改的角色')
    const [before] = await findByIds(tx, role, scope, [id], { lock: true })
    if (!before) throw notFound()
    if (before.builtIn) return refuse('内置角色不能修改；可复制后修改')
    const holderIds = (await findRoleHolders(tx, scope, id)).map(holder => holder.id)
    // PERM-4: nobody edits one of their own roles; permissions given or taken must be among the caller's own.
    if (!scope.isOwner && holderIds.includes(scope.operatorId))
      return refuse(`不能修改自己所属的角色，请由${scope.granterLabel ?? '超级管理员'}修改`)
    // What a module that was taken out has left in the role may stay.
    assertKnownPermissions(itemsOnlyIn(draft.permissions ?? [], before.permissions ?? []))
    const permissions = addViewPermissions(draft.permissions ?? [], allPermissions)
    const permissionsBefore = addViewPermissions(before.permissions ?? [], allPermissions)
    const granted = itemsOnlyIn(permissions, permissionsBefore)
    const revoked = itemsOnlyIn(permissionsBefore, permissions)
    refuseIf(whyCannotGrant(scope, [...granted, ...revoked], getPermissionLabel))
    const fields = { ...withAllFields(editRole.input, draft), permissions }
    const after = await update(tx, role, scope, id, fields, { version })
    refreshSessionsOnCommit(tx, app, scope.ownerId, holderIds)
    if (granted.length || revoked.length) {
      const text = describeRoleChange(after.roleName, granted, revoked)
      await notifyPermissionsChanged(tx, app, scope, holderIds, text)
    }
    if (after.needTotp && !before.needTotp) {
      const missing = await findAccountsMissingFactor(tx, scope.ownerId, holderIds)
      endSessionsOnCommit(tx, app, scope.ownerId, missing)
    }
    return after
  }),
  writes(deleteRoles, async ({ ids, reason }, { tx, scope }) => {
    for (const r of await findByIds(tx, role, scope, ids, { lock: true })) {
      await assertRoleDeletable(tx, scope, r)
    }
    await remove(tx, role, scope, ids, reason)
  }),
]
