import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { Scope } from '#kit/server/scope.ts'

const hasWholeProject = ({ domain }: Pick<Scope, 'domain'>, projectCode: string): boolean =>
  domain.all || domain.projects.get(projectCode) === null

/**
 * A gateway serves devices of several buildings: what acts on it, or stands over it, is for those who have
 * the whole project (PERM-6). Its name is read by all who have a part of the project.
 */
export function requireWholeProject(scope: Pick<Scope, 'domain'>, projectCode: string): void {
  if (hasWholeProject(scope, projectCode)) return
  throw new Refused(resultCode.forbidden, '该操作涉及整个网关，需要整个项目的数据权限')
}

/** Of rows about gateways as a whole, those that the caller may see. */
export const inWholeProjects = <T extends { readonly projectCode: string }>(
  scope: Pick<Scope, 'domain'>,
  rows: readonly T[],
): T[] => rows.filter(row => hasWholeProject(scope, row.projectCode))
