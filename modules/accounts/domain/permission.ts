import type { Permission } from '#kit/contract/call.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { permissionFlags, type ModuleManifest } from '#kit/contract/module.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { managerType } from '../contract/manager.ts'
import type { MenuNode } from '../contract/permission.ts'

export type ManagerType = ChoiceOf<typeof managerType>

export interface RolePermissions {
  readonly everything: boolean
  readonly permissions: readonly string[]
}

/** Every permission that the installed modules declare, by key. */
export const collectPermissions = (manifests: readonly ModuleManifest[]): Map<string, Permission> =>
  new Map(
    manifests.flatMap(p =>
      p.menus.flatMap(m => Object.values<Permission>(m.permissions).map(x => [x.key, x] as const)),
    ),
  )

const splitPermissionKey = (key: string): { menu: string; flag: string } => {
  const at = key.lastIndexOf('.')
  return { menu: key.slice(0, at), flag: key.slice(at + 1) }
}

/** What is wrong with permissions that a form names: those that no installed module has. */
export function unknownPermissionFaults(
  keys: readonly string[],
  known: ReadonlyMap<string, Permission>,
): FieldFault[] {
  const unknown = keys.filter(key => !known.has(key))
  if (!unknown.length) return []
  const names = unknown.slice(0, 3).join('、')
  return [{ Field: 'Permissions', Message: `没有这项权限：${names}，请刷新后重新选择` }]
}

/**
 * Whatever else a role may do in a menu, it may see it (PERM-2). Unknown keys (of a module taken out) fall
 * away.
 */
export function addViewPermissions(keys: Iterable<string>, known: ReadonlyMap<string, Permission>): string[] {
  const out = new Set<string>()
  for (const permission of keys) {
    if (known.has(permission)) {
      out.add(permission)
      const view = `${splitPermissionKey(permission).menu}.view`
      if (known.has(view)) {
        out.add(view)
      }
    }
  }
  return [...out].toSorted()
}

const isReadOnlyPermission = (key: string): boolean =>
  ['view', 'export'].includes(splitPermissionKey(key).flag)

/**
 * The permissions of an account: the union of its roles, of which an auditor keeps view and export (PERM-1,
 * PERM-2); the owner has all.
 */
export function resolveEffectivePermissions(
  type: ManagerType,
  roles: readonly RolePermissions[],
  known: ReadonlyMap<string, Permission>,
): Set<string> {
  const whole = type === 'owner' || roles.some(r => r.everything)
  const keys = whole
    ? [...known.keys()]
    : addViewPermissions(
        roles.flatMap(r => r.permissions),
        known,
      )
  return new Set(type === 'auditor' ? keys.filter(isReadOnlyPermission) : keys)
}

/** The permissions among `keys` that a granter lacks (PERM-4). */
export const findMissingPermissions = (
  keys: readonly string[],
  granter: { readonly isOwner: boolean; readonly permissions: ReadonlySet<string> },
): string[] => (granter.isOwner ? [] : keys.filter(k => !granter.permissions.has(k)))

/**
 * The menus that a project can close. Those of the company's settings (设置) stay, else nobody could open the
 * others again.
 */
export function listClosableMenus(
  manifests: readonly ModuleManifest[],
): { readonly menuCode: string; readonly menuName: string; readonly moduleName: string }[] {
  const kept = new Set(
    manifests.flatMap(p => p.screens.filter(s => s.section === 'setting').flatMap(s => s.needs?.menu ?? [])),
  )
  return manifests.flatMap(p =>
    p.menus
      .filter(m => !kept.has(m.key))
      .map(m => ({ menuCode: m.key, menuName: m.label, moduleName: p.label })),
  )
}

/**
 * The menu tree with what `allows` says of each right; a menu of which nothing is allowed is left out unless
 * `all`.
 */
export function buildMenuTree(
  manifests: readonly ModuleManifest[],
  allows: (key: string) => boolean,
  all?: 'all',
): MenuNode[] {
  return manifests.flatMap(profile => {
    const children = profile.menus.flatMap((menu): MenuNode[] => {
      const buttons = Object.values<Permission>(menu.permissions)
        .filter(x => !Object.hasOwn(permissionFlags, x.flag))
        .map(x => ({ code: x.flag, name: x.label.slice(menu.label.length + 1), allow: allows(x.key) }))
      const node = {
        menuCode: menu.key,
        menuName: menu.label,
        parentCode: profile.name,
        ...(menu.sensitive && { sensitive: true }),
        allowView: allows(`${menu.key}.view`),
        allowAdd: allows(`${menu.key}.add`),
        allowEdit: allows(`${menu.key}.edit`),
        allowDel: allows(`${menu.key}.del`),
        buttonCodes: buttons.filter(b => b.allow).map(b => b.code),
        buttons,
      }
      return all || node.allowView || node.buttonCodes.length ? [node] : []
    })
    const some = (k: 'allowView' | 'allowAdd' | 'allowEdit' | 'allowDel'): boolean => children.some(c => c[k])
    return children.length
      ? [
          {
            menuCode: profile.name,
            menuName: profile.label,
            allowView: some('allowView'),
            allowAdd: some('allowAdd'),
            allowEdit: some('allowEdit'),
            allowDel: some('allowDel'),
            children,
          },
        ]
      : []
  })
}
