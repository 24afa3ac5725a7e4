import type { Id } from '#kit/domain/id.ts'
import { type ManagerType, findMissingPermissions } from './permission.ts'

/** The projects and buildings that an account may work in; `null` is a whole project. */
export interface DataDomain {
  readonly all: boolean
  readonly projects: ReadonlyMap<string, ReadonlySet<string> | null>
}

export interface AccountAuthority {
  readonly operatorId: Id
  readonly isOwner: boolean
  readonly permissions: ReadonlySet<string>
  readonly domain: DataDomain
  readonly canSeePersonalData: boolean
  readonly granterLabel?: string
}

/** Whether one data domain contains another. */
export const coversDomain = (a: DataDomain, b: DataDomain): boolean =>
  a.all ||
  (!b.all &&
    [...b.projects].every(([project, buildings]) => {
      const own = a.projects.get(project)
      return (
        own === null || (own !== undefined && buildings !== null && [...buildings].every(x => own.has(x)))
      )
    }))

/** `「房间·编辑」等 5 项`: at most three of the permissions by name. */
export const formatPermissionNames = (keys: readonly string[], label: (key: string) => string): string =>
  keys
    .slice(0, 3)
    .map(k => `「${label(k)}」`)
    .join('') + (keys.length > 3 ? `等 ${keys.length} 项` : '')

/**
 * Why `who` may not manage another account, or undefined (PERM-1, PERM-4): not its own, not the owner's, and
 * none that may do more.
 */
export function whyCannotManage(
  caller: AccountAuthority,
  other: AccountAuthority & { readonly type: ManagerType },
  label: (key: string) => string,
): string | undefined {
  const granterLabel = caller.granterLabel ?? '超级管理员'
  if (other.operatorId === caller.operatorId) return '不能在此处修改自己的账号，请到「个人中心」修改'
  if (other.isOwner) return '超级管理员不能被修改、停用或删除；更换请使用「权限移交」'
  if (caller.isOwner) return undefined
  if (other.type === 'deputy') return `子管理员只能由${granterLabel}管理`
  const missing = findMissingPermissions([...other.permissions], caller)
  if (missing.length)
    return `该账号拥有你没有的权限${formatPermissionNames(missing, label)}，请由${granterLabel}操作`
  return coversDomain(caller.domain, other.domain)
    ? undefined
    : `该账号的数据范围超出你的数据范围，请由${granterLabel}操作`
}

/** Why `who` may not grant these permissions, or undefined (PERM-4). */
export function whyCannotGrant(
  caller: AccountAuthority,
  keys: readonly string[],
  label: (key: string) => string,
): string | undefined {
  const missing = findMissingPermissions(keys, caller)
  return missing.length
    ? `不能授予你自己没有的权限${formatPermissionNames(missing, label)}，请由${caller.granterLabel ?? '超级管理员'}授予`
    : undefined
}

/** Why `who` may not create an account of this type, or undefined (PERM-1). */
export const whyCannotCreate = (caller: AccountAuthority, type: ManagerType): string | undefined =>
  type === 'owner'
    ? '公司只有一位超级管理员；更换请使用「权限移交」'
    : type === 'deputy' && !caller.isOwner
      ? `子管理员只能由${caller.granterLabel ?? '超级管理员'}设置`
      : undefined
