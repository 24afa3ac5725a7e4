import type { Row } from '#kit/contract/entity.ts'
import { absent, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, insert, need, page, remove, rows, update, whole } from '#kit/server/table.ts'
import { modules } from '#modules/index.ts'
import {
  addRole,
  deleteRoles,
  editRole,
  listRoles,
  oneRole,
  pickRoles,
  role,
  roleTree,
} from '../contract/role.ts'
import { getProjectMenu, setProjectMenu } from '../contract/data-domain.ts'
import { cannotGrant, named } from '../domain/granting.ts'
import { closable, completed, menuTree } from '../domain/rights.ts'
import { rights } from './caller.ts'
import { mustBindAmong } from './factor.ts'
import { keysOfRole, labelOf, orRefuse, rightsChanged, sessionsOver } from './granting.ts'
import { tellRights } from './notices.ts'

type Role = Row<typeof role>
const filters = listRoles.input.filters!

async function counted(db: Db, scope: Scope, list: readonly Role[]): Promise<Role[]> {
  const rows = await db.rows<{ role: string; n: number }>(
    sql`
      select r.id as role, count(*) as n
      from manager m, unnest(m.role_ids) as r(id)
      where m.owner_id = ${scope.ownerId}
        and m.delete_tag = 0
        and r.id = any(${list.map(r => String(r.id))}::text[])
      group by 1
    `,
  )
  const n = new Map(rows.map(r => [r.role, r.n]))
  return list.map(r => ({ ...r, userCount: n.get(String(r.id)) ?? 0 }))
}

const closedIn = async (db: Pick<Db, 'rows'>, scope: Scope, project: string): Promise<string[]> =>
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
const holders = async (tx: Tx, scope: Scope, id: number): Promise<{ id: number; realName: string }[]> =>
  tx.rows(
    sql`
      select id, real_name
      from manager
      where owner_id = ${scope.ownerId} and delete_tag = 0 and ${String(id)} = any(role_ids)
      order by id
    `,
  )

const differing = (a: readonly string[], b: readonly string[]): string[] => [
  ...a.filter(x => !b.includes(x)),
  ...b.filter(x => !a.includes(x)),
]

export const roleHandlers = [
  reads(listRoles, async (q, { db, scope }) => {
    const found = await page(db, role, scope, q, { filters })
    return { ...found, rows: await counted(db, scope, found.rows) }
  }),
  reads(pickRoles, (_, { db, scope }) =>
    rows(db, role, scope, {}, { keys: ['id', 'roleName', 'roleDesc', 'everything'], limit: 500 }),
  ),
  reads(
    oneRole,
    async ({ id }, { db, scope }) => (await counted(db, scope, [await need(db, role, scope, id)]))[0]!,
  ),
  reads(roleTree, async ({ ids }, { db, scope }) => {
    const keys = new Set((await byIds(db, role, scope, ids ?? [])).flatMap(keysOfRole))
    return menuTree(
      modules.filter(p => !scope.without?.has(p.name)),
      k => keys.has(k),
      'all',
    )
  }),

  writes(addRole, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    const permissions = completed(draft.permissions ?? [], rights)
    orRefuse(cannotGrant(scope, permissions, labelOf))
    return insert(tx, role, scope, { ...draft, permissions, builtIn: false, everything: false })
  }),
  writes(editRole, async ({ id, version, ...draft }, { tx, scope, world }) => {
    if (!id) return refuse('缺少要修改的角色')
    const [was] = await byIds(tx, role, scope, [id], true)
    if (!was) throw absent()
    if (was.builtIn) return refuse('内置角色不能修改；可以复制一份再改')
    const held = await holders(tx, scope, id)
    // PERM-4: nobody edits his own role; and what is given or taken must be one's own to give.
    if (!scope.owner && held.some(m => m.id === scope.operatorId))
      return refuse(`不能修改自己所属的角色，请由${scope.granter ?? '超级管理员'}修改`)
    const permissions = completed(draft.permissions ?? [], rights)
    orRefuse(cannotGrant(scope, differing(permissions, completed(was.permissions ?? [], rights)), labelOf))
    const is = await update(
      tx,
      role,
      scope,
      id,
      { ...whole(editRole.input, draft), permissions },
      { version },
    )
    const holding = held.map(m => m.id)
    const had = completed(was.permissions ?? [], rights)
    const given = permissions.filter(k => !had.includes(k))
    const taken = had.filter(k => !permissions.includes(k))
    rightsChanged(tx, world, scope.ownerId, holding)
    if (given.length || taken.length) {
      await tellRights(
        tx,
        world,
        scope,
        holding,
        [
          `角色「${is.roleName}」`,
          given.length ? `新增${named(given, labelOf)}` : '',
          taken.length ? `取消${named(taken, labelOf)}` : '',
        ]
          .filter(Boolean)
          .join('，'),
      )
    }
    if (is.needTotp && !was.needTotp) {
      sessionsOver(tx, world, scope.ownerId, await mustBindAmong(tx, scope.ownerId, holding))
    }
    return is
  }),
  writes(deleteRoles, async ({ ids, reason }, { tx, scope }) => {
    for (const r of await byIds(tx, role, scope, ids, true)) {
      if (r.builtIn) refuse(`「${r.roleName}」是内置角色，不能删除`)
      const held = await holders(tx, scope, r.id)
      if (held.length)
        refuse(
          `角色「${r.roleName}」还有 ${held.length} 个账号在用（${held
            .slice(0, 3)
            .map(m => m.realName)
            .join('、')}${held.length > 3 ? '等' : ''}），请先换成别的角色`,
        )
      orRefuse(cannotGrant(scope, keysOfRole(r), labelOf))
    }
    await remove(tx, role, scope, ids, reason)
  }),

  reads(getProjectMenu, async ({ projectCode }, { db, scope }) => {
    const closed = await closedIn(db, scope, projectCode)
    const shut = new Set(closed)
    return { closed, menus: closable(modules).map(m => ({ ...m, enabled: !shut.has(m.menuCode) })) }
  }),
  writes(setProjectMenu, async ({ projectCode, rules }, { tx, scope, world }) => {
    const known = new Map(modules.flatMap(p => p.menus.map(m => [m.key, m.label] as const)))
    const may = new Set(closable(modules).map(m => m.menuCode))
    const bad = rules.find(r => !known.has(r.menuCode))
    const kept = rules.find(r => !r.enabled && !may.has(r.menuCode))
    if (bad) return refuse(`没有菜单「${bad.menuCode}」`)
    if (kept) return refuse(`「${known.get(kept.menuCode)}」属于公司设置，不能按项目关闭`)
    const before = await closedIn(tx, scope, projectCode)
    const codes = (on: boolean): string[] => rules.filter(r => r.enabled === on).map(r => r.menuCode)
    await tx.run(
      sql`
        delete
        from project_menu
        where owner_id = ${scope.ownerId}
          and project_code = ${projectCode}
          and menu_code = any(${codes(true)}::text[])
      `,
    )
    await tx.run(
      sql`
        insert into project_menu (owner_id, project_code, menu_code, update_by)
        select ${scope.ownerId}, ${projectCode}, m, ${scope.operatorId}
        from unnest(${codes(false)}::text[]) m
        on conflict do nothing
      `,
    )
    const after = await closedIn(tx, scope, projectCode)
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
    rightsChanged(tx, world, scope.ownerId, 'all')
  }),
]
