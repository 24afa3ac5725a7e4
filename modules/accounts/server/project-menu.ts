import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { modules } from '#modules/index.ts'
import { getProjectMenu, setProjectMenu } from '../contract/data-domain.ts'
import { listClosableMenus } from '../domain/permission.ts'
import { refreshSessionsOnCommit } from './granting.ts'

type MenuRule = NonNullable<typeof setProjectMenu.input.T>['rules'][number]

/** The menus that a project does not show, by code. */
export async function findClosedMenus(
  db: Pick<Db, 'rows'>,
  scope: Scope,
  projectCode: string,
): Promise<string[]> {
  const rows = await db.rows<{ menuCode: string }>(
    sql`
      select menu_code
      from project_menu
      where owner_id = ${scope.ownerId} and project_code = ${projectCode}
      order by menu_code
    `,
  )
  return rows.map(row => row.menuCode)
}

/** Refuses rules for unknown menus, and rules that close a menu of the company's own settings. */
function assertClosable(rules: readonly MenuRule[]): void {
  const labels = new Map(modules.flatMap(m => m.menus.map(menu => [menu.key, menu.label] as const)))
  const closable = new Set(listClosableMenus(modules).map(menu => menu.menuCode))
  const unknown = rules.find(rule => !labels.has(rule.menuCode))
  const fixed = rules.find(rule => !rule.enabled && !closable.has(rule.menuCode))
  if (unknown) refuse(`没有菜单「${unknown.menuCode}」`)
  if (fixed) refuse(`「${labels.get(fixed.menuCode)}」属于公司设置，不能按项目关闭`)
}

async function saveMenuRules(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  rules: readonly MenuRule[],
): Promise<void> {
  const opened = rules.filter(rule => rule.enabled).map(rule => rule.menuCode)
  const closed = rules.filter(rule => !rule.enabled).map(rule => rule.menuCode)
  await tx.execute(
    sql`
      delete from project_menu
      where owner_id = ${scope.ownerId}
        and project_code = ${projectCode}
        and menu_code = any(${opened}::text[])
    `,
  )
  await tx.execute(
    sql`
      insert into project_menu (owner_id, project_code, menu_code, update_by)
      select ${scope.ownerId}, ${projectCode}, menu, ${scope.operatorId}
      from unnest(${closed}::text[]) menu
      on conflict do nothing
      returning menu_code
    `,
  )
}

export const projectMenuHandlers = [
  reads(getProjectMenu, async ({ projectCode }, { db, scope }) => {
    const closed = await findClosedMenus(db, scope, projectCode)
    const menus = listClosableMenus(modules).map(menu => ({
      ...menu,
      enabled: !closed.includes(menu.menuCode),
    }))
    return { closed, menus }
  }),
  writes(setProjectMenu, async ({ projectCode, rules }, { tx, scope, app }) => {
    assertClosable(rules)
    const before = await findClosedMenus(tx, scope, projectCode)
    await saveMenuRules(tx, scope, projectCode, rules)
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
