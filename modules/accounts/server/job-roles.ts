import type { Id } from '#kit/domain/id.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insertAll } from '#kit/server/table.ts'
import { modules } from '#modules/index.ts'
import { addJobRoles, listRoleTemplates, role } from '../contract/role.ts'
import { whyCannotGrant } from '../domain/granting.ts'
import { grantsOf, offeredJobRoles } from '../domain/job-role-grants.ts'
import { getPermissionLabel, getRolePermissionKeys, refuseIf } from './granting.ts'

/** The modules that a company has. */
const enabledModules = (scope: Scope): readonly ModuleManifest[] =>
  modules.filter(manifest => !scope.disabledModules?.has(manifest.name))

/** The roles of a new company: everything, then those of the jobs, which the company may change. */
export async function insertFirstRoles(tx: Tx, ownerId: Id): Promise<void> {
  const ofJobs = offeredJobRoles(modules).map(
    jobRole => sql`
      (
        ${ownerId}, ${jobRole.name}, ${jobRole.desc}, ${grantsOf(jobRole, modules)}::text[], false, false
      )
    `,
  )
  await tx.execute(
    sql`
      insert into role (owner_id, role_name, role_desc, permissions, built_in, everything)
      values (${ownerId}, '全部权限', '所有功能，包括以后新增的', array[]::text[], true, true),
        ${sql.join(ofJobs)}
    `,
  )
}

export const jobRoleHandlers = [
  reads(listRoleTemplates, async (_, { db, scope }) => {
    const roles = await findAll(db, role, scope, {}, { limit: 500 })
    const names = new Set(roles.map(existing => existing.roleName))
    const enabled = enabledModules(scope)
    return [
      ...offeredJobRoles(enabled)
        .filter(({ name }) => !names.has(name))
        .map(jobRole => ({
          name: jobRole.name,
          isPreset: true,
          permissions: grantsOf(jobRole, enabled),
        })),
      ...roles.map(existing => ({
        name: existing.roleName,
        isPreset: false,
        permissions: getRolePermissionKeys(existing),
      })),
    ]
  }),
  writes(addJobRoles, async (_, { tx, scope }) => {
    const existing = await findAll(tx, role, scope, {}, { keys: ['roleName'], limit: 500 })
    const names = new Set(existing.map(({ roleName }) => roleName))
    const enabled = enabledModules(scope)
    const missing = offeredJobRoles(enabled)
      .filter(({ name }) => !names.has(name))
      .map(jobRole => ({
        roleName: jobRole.name,
        roleDesc: jobRole.desc,
        permissions: grantsOf(jobRole, enabled),
        builtIn: false,
        everything: false,
        needTotp: false,
      }))
    for (const { permissions } of missing) {
      refuseIf(whyCannotGrant(scope, permissions, getPermissionLabel))
    }
    await insertAll(tx, role, scope, missing)
    return { names: missing.map(({ roleName }) => roleName) }
  }),
]
