import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import { codeOf } from '#kit/contract/field.ts'
import { managerType } from '#modules/accounts/contract/manager.ts'
import {
  collectPermissions,
  resolveEffectivePermissions,
  type ManagerType,
} from '#modules/accounts/domain/permission.ts'
import { grantsOf } from '#modules/accounts/domain/job-role-grants.ts'
import type { JobRole } from '#modules/accounts/domain/job-role.ts'
import { jobRoles, type JobRoleKey } from '#modules/accounts/domain/job-roles.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { registerLogin } from '#modules/accounts/server/public.ts'
import { code } from '#kit/server/sql.ts'

/** A holder of a job's role in the demo. */
interface RoleHolder {
  readonly key: JobRoleKey
  readonly person: string
  readonly type: ManagerType
  readonly privacy: boolean
}

export interface DemoRole extends JobRole, RoleHolder {
  readonly key: JobRoleKey
}

const holders: readonly RoleHolder[] = [
  { key: 'cashier', person: '收费员甲', type: 'ordinary', privacy: true },
  { key: 'service', person: '客服甲', type: 'ordinary', privacy: true },
  { key: 'engineer', person: '工程甲', type: 'ordinary', privacy: false },
  { key: 'environment', person: '环境甲', type: 'ordinary', privacy: false },
  { key: 'manager', person: '项目经理甲', type: 'ordinary', privacy: true },
  { key: 'auditor', person: '审计甲', type: 'auditor', privacy: false },
]

/** The roles of the jobs that somebody has in the demo. */
export const demoRoles: readonly DemoRole[] = holders.map(holder => ({
  ...defined(jobRoles.find(role => role.key === holder.key)),
  ...holder,
}))

/** What its holder may do in the end (PERM-1, PERM-2). */
export const permissionsOf = (r: DemoRole, manifests: readonly ModuleManifest[]): Set<string> =>
  resolveEffectivePermissions(
    r.type,
    [{ everything: false, permissions: grantsOf(r, manifests) }],
    collectPermissions(manifests),
  )

export interface AssignDomain {
  readonly [project: string]: readonly string[] | null
}

/**
 * Gives each demo role of a company a holder, who signs in with the owner's password. A holder without a data
 * domain has all projects. The roles came with the company.
 */
export async function seedRoles(
  database: Database,
  ownerId: Id,
  login: (r: DemoRole) => string,
  reach: Readonly<Record<string, AssignDomain>>,
  roles: readonly DemoRole[] = demoRoles,
): Promise<void> {
  await database.tx(ownerId, async tx => {
    for (const r of roles) {
      const places = reach[r.key]
      const role = defined(
        await tx.one<{ id: Id }>(
          sql`select id from role where owner_id = ${ownerId} and role_name = ${r.name} and delete_tag = 0`,
        ),
      )
      const m = defined(
        await tx.one<{
          id: Id
        }>(sql`
        insert into manager (
          owner_id, login_code, real_name, manager_type, role_ids, all_project, show_privacy, state
        )
        values (
          ${ownerId}, ${login(r)}, ${r.person}, ${codeOf(managerType, r.type)}, array[${String(role.id)}],
          ${!places}, ${r.privacy}, 10
        )
        returning id
      `),
      )
      await registerLogin(tx, login(r), { ownerId, refId: m.id })
      await tx.execute(
        sql`
          insert into manager_secret (owner_id, manager_id, password)
          select ${ownerId}::bigint, ${m.id}::bigint, s.password
          from manager_secret s
          join manager o on o.owner_id = ${ownerId} and o.id = s.manager_id
          where s.owner_id = ${ownerId} and o.manager_type = ${code(managerType, 'owner')}
          returning manager_id
        `,
      )
      for (const [project, buildings] of Object.entries(places ?? {})) {
        await tx.execute(
          sql`
            insert into manager_data_domain (owner_id, manager_id, project_code, build_codes)
            values (${ownerId}, ${m.id}, ${project}, ${buildings && [...buildings]}::text[])
          `,
        )
      }
    }
  })
}
