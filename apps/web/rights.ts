import { defined } from '#kit/domain/defined.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { permissionFlags } from '#kit/contract/module.ts'
import { send } from '#kit/web/send.ts'
import { getMyMenus, type MenuNode } from '#modules/accounts/contract/permission.ts'

/** The keys behind a tree of menus: `rooms.room.edit`. */
export const menuKeys = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap(n => [
    ...keysOfRecord(permissionFlags)
      .filter(f => n[`allow${defined(f[0]).toUpperCase()}${f.slice(1)}` as 'allowView'])
      .map(f => `${n.menuCode}.${f}`),
    ...(n.buttonCodes ?? []).map(b => `${n.menuCode}.${b}`),
    ...menuKeys(n.children ?? []),
  ])

/** The permissions of the signed-in user by their keys. */
export const loadRights = async (signal?: AbortSignal): Promise<ReadonlySet<string>> =>
  new Set(menuKeys(await send(getMyMenus, undefined, { quiet: true, ...(signal ? { signal } : {}) })))
