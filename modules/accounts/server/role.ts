import type { Row } from '#kit/contract/entity.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  insert,
  requireById,
  findPage,
  remove,
  findAll,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { modules } from '#modules/index.ts'
import {
  addRole,
  deleteRoles,
  editRole,
  listRoles,
  getRole,
  listRoleOptions,
  role,
  getRoleMenuTree,
} from '../contract/role.ts'
import { getProjectMenu, setProjectMenu } from '../contract/data-domain.ts'
import { whyCannotGrant, formatPermissionNames } from '../domain/granting.ts'
import { listClosableMenus, addViewPermissions, buildMenuTree } from '../domain/permission.ts'
import { allPermissions } from './caller.ts'
import { findAccountsMissingFactor } from './second-factor.ts'
import {
  getRolePermissionKeys,
  getPermissionLabel,
  refuseIf,
  refreshSessionsOnCommit,
  endSessionsOnCommit,
} from './granting.ts'
import { notifyPermissionsChanged } from './account-notifications.ts'

type Role = Row<typeof role>
const roleFilters = listRoles.input.filters!

async function withUserCounts(db: Db, scope: Scope, list: readonly Role[]): Promise<Role[]> {
  const rows = await db.rows<{ role: string; n: number }>(
    sql`
      select r.id as role, count(*) as n
      from manager m, unnest(m.role_ids) as r(id)
      where m.owner_id = ${scope.ownerId}
        and ${live('m')}
        and r.id = any(${list.map(r => String(r.id))}::text[])
      group by 1
    `,
  )
  const n = new Map(rows.map(r => [r.role, r.n]))
  return list.map(r => ({ ...r, userCount: n.get(String(r.id)) ?? 0 }))
}

const findClosedMenus = async (db: Pick<Db, 'rows'>, scope: Scope, project: string): Promise<string[]> =>
  (
    await db.rows<{ menuCode: string }>(
      sql`
        select menu_code
        from project_menu
        where owner_id = ${scope.ownerId} and project_code = ${project}
        order by menu_code
      `,
    )
  ).map(r => r.menuCode)

/** Accounts that hold a role. */
const findRoleHolders = async (
  tx: Tx,
  scope: Scope,
  id: number,
): Promise<{ id: number; realName: string }[]> =>
  tx.rows(
    sql`
      select id, real_name
      from manager
      where owner_id = ${scope.ownerId} and ${live()} and ${String(id)} = any(role_ids)
      order by id
    `,
  )

const symmetricDifference = (a: readonly string[], b: readonly string[]): string[] => [
  ...a.filter(x => !b.includes(x)),
  ...b.filter(x => !a.includes(x)),
]

export const roleHandlers = [
  reads(listRoles, async (q, { db, scope }) => {
    const found = await findPage(db, role, scope, q, { filters: roleFilters })
    return { ...found, rows: await withUserCounts(db, scope, found.rows) }
  }),
  reads(listRoleOptions, (_, { db, scope }) =>
    findAll(db, role, scope, {}, { keys: ['id', 'roleName', 'roleDesc', 'everything'], limit: 500 }),
  ),
  reads(
    getRole,
    async ({ id }, { db, scope }) =>
      (await withUserCounts(db, scope, [await requireById(db, role, scope, id)]))[0]!,
  ),
  reads(getRoleMenuTree, async ({ ids }, { db, scope }) => {
    const keys = new Set((await findByIds(db, role, scope, ids ?? [])).flatMap(getRolePermissionKeys))
    return buildMenuTree(
      modules.filter(p => !scope.disabledModules?.has(p.name)),
      k => keys.has(k),
      'all',
    )
  }),

  writes(addRole, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    const permissions = addViewPermissions(draft.permissions ?? [], allPermissions)
    refuseIf(whyCannotGrant(scope, permissions, getPermissionLabel))
    return insert(tx, role, scope, { ...draft, permissions, builtIn: false, everything: false })
  }),
  writes(editRole, async ({ id, version, ...draft }, { tx, scope, app }) => {
    if (!id) return refuse('缺少要修改的角色')
    const [was] = await findByIds(tx, role, scope, [id], true)
    if (!was) throw notFound()
    if (was.builtIn) return refuse('内置角色不能修改；可以复制一份再改')
    const held = await findRoleHolders(tx, scope, id)
    // PERM-4: nobody edits his own role; and what is given or taken must be one's own to give.
    if (!scope.isOwner && held.some(m => m.id === scope.operatorId))
      return refuse(`不能修改自己所属的角色，请由${scope.granterLabel ?? '超级管理员'}修改`)
    const permissions = addViewPermissions(draft.permissions ?? [], allPermissions)
    refuseIf(
      whyCannotGrant(
        scope,
        symmetricDifference(permissions, addViewPermissions(was.permissions ?? [], allPermissions)),
        getPermissionLabel,
      ),
    )
    const is = await update(
      tx,
      role,
      scope,
      id,
      { ...withAllFields(editRole.input, draft), permissions },
      { version },
    )
    const holding = held.map(m => m.id)
    const had = addViewPermissions(was.permissions ?? [], allPermissions)
    const given = permissions.filter(k => !had.includes(k))
    const taken = had.filter(k => !permissions.includes(k))
    refreshSessionsOnCommit(tx, app, scope.ownerId, holding)
    if (given.length || taken.length) {
      await notifyPermissionsChanged(
        tx,
        app,
        scope,
        holding,
        [
          `角色「${is.roleName}」`,
          given.length ? `新增${formatPermissionNames(given, getPermissionLabel)}` : '',
          taken.length ? `取消${formatPermissionNames(taken, getPermissionLabel)}` : '',
        ]
          .filter(Boolean)
          .join('，'),
      )
    }
    if (is.needTotp && !was.needTotp) {
      endSessionsOnCommit(tx, app, scope.ownerId, await findAccountsMissingFactor(tx, scope.ownerId, holding))
    }
    return is
  }),
  writes(deleteRoles, async ({ ids, reason }, { tx, scope }) => {
    for (const r of await findByIds(tx, role, scope, ids, true)) {
      if (r.builtIn) refuse(`「${r.roleName}」是内置角色，不能删除`)
      const held = await findRoleHolders(tx, scope, r.id)
      if (held.length)
        refuse(
          `角色「${r.roleName}」还有 ${held.length} 个账号在用（${held
            .slice(0, 3)
            .map(m => m.realName)
            .join('、')}${held.length > 3 ? '等' : ''}），请先换成别的角色`,
        )
      refuseIf(whyCannotGrant(scope, getRolePermissionKeys(r), getPermissionLabel))
    }
    await remove(tx, role, scope, ids, reason)
  }),

  reads(getProjectMenu, async ({ projectCode }, { db, scope }) => {
    const closed = await findClosedMenus(db, scope, projectCode)
    const shut = new Set(closed)
    return { closed, menus: listClosableMenus(modules).map(m => ({ ...m, enabled: !shut.has(m.menuCode) })) }
  }),
  writes(setProjectMenu, async ({ projectCode, rules }, { tx, scope, app }) => {
    const known = new Map(modules.flatMap(p => p.menus.map(m => [m.key, m.label] as const)))
    const may = new Set(listClosableMenus(modules).map(m => m.menuCode))
    const bad = rules.find(r => !known.has(r.menuCode))
    const kept = rules.find(r => !r.enabled && !may.has(r.menuCode))
    if (bad) return refuse(`没有菜单「${bad.menuCode}」`)
    if (kept) return refuse(`「${known.get(kept.menuCode)}」属于公司设置，不能按项目关闭`)
    const before = await findClosedMenus(tx, scope, projectCode)
    const codes = (on: boolean): string[] => rules.filter(r => r.enabled === on).map(r => r.menuCode)
    await tx.execute(
      sql`
        delete
        from project_menu
        where owner_id = ${scope.ownerId}
          and project_code = ${projectCode}
          and menu_code = any(${codes(true)}::text[])
      `,
    )
    await tx.execute(
      sql`
        insert into project_menu (owner_id, project_code, menu_code, update_by)
        select ${scope.ownerId}, ${projectCode}, m, ${scope.operatorId}
        from unnest(${codes(false)}::text[]) m
        on conflict do nothing
      `,
    )
    const after = await findClosedMenus(tx, scope, projectCode)
    if (before.join() !== after.join()) {
      await audit(tx, scope, [
        {
          action: 'grant',
          entity: 'projectMenu',
          entityId: 0,
          projectCode,
          before: { closed: before },
          after: { closed: after },
        },
      ])
    }
    refreshSessionsOnCommit(tx, app, scope.ownerId, 'all')
  }),
]
