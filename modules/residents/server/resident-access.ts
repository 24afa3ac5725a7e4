import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { hasPermission, outOfDomain, type DataDomain, type Scope } from '#kit/server/scope.ts'
import { findByIds, tenantFilter } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { resident, type Resident } from '../contract/resident.ts'
import { menu } from '../module.ts'

type Sql = RawBuilder<unknown>

/** Conditions on rows of user_room, under an alias, inside the data domain. */
export function residencyDomainFilter(domain: DataDomain, alias: string): Sql[] {
  if (domain.all) return []
  const project = sql.ref(`${alias}.project_code`)
  const projects = [...domain.projects.keys()]
  const wholeProjects = [...domain.projects].filter(([, b]) => b === null).map(([p]) => p)
  if (wholeProjects.length === projects.length) return [sql`${project} = any(${projects})`]
  const buildings = [...domain.projects].flatMap(([p, b]) => (b ? [...b].map(x => [p, x] as const) : []))
  return [
    sql`${project} = any(${projects})`,
    sql`(
      ${project} = any(${wholeProjects})
      or (${project}, ${sql.ref(`${alias}.build_code`)}) in (
        select * from unnest(${buildings.map(x => x[0])}::text[], ${buildings.map(x => x[1])}::text[])
      )
    )`,
  ]
}

/**
 * Conditions on residents `t` of the data domain, or of one project of it: those with a home there, past ones
 * too, and those who are registered there (PERM-6). `candidateIds`: the few people that other conditions
 * leave; only their homes are looked at.
 */
export function residentDomainFilter(
  scope: Pick<Scope, 'ownerId' | 'domain'>,
  project?: string,
  candidateIds?: readonly Id[],
): Sql[] {
  const domain = scope.domain
  if (domain.all && !project) return []
  const wholeProjects = domain.all
    ? [defined(project)]
    : [...domain.projects].filter(([p, b]) => b === null && (!project || p === project)).map(([p]) => p)
  const homes = [
    sql`l.owner_id = ${scope.ownerId}`,
    sql`${notDeleted('l')}`,
    ...(project ? [sql`l.project_code = ${project}`] : []),
    ...residencyDomainFilter(domain, 'l'),
  ]
  if (candidateIds)
    return [
      sql`(
        t.home_project = any(${wholeProjects})
        or t.id = any(
          array(
            select l.user_id
            from user_room l
            where l.user_id = any(${[...candidateIds]}) and ${sql.join(homes, sql` and `)}
          )
        )
      )`,
    ]
  // As an array: the planner does not know the size of a union, and would walk the whole company in the
  // order of the list instead.
  return [
    sql`t.id = any(
      array(
        select l.user_id
        from user_room l
        where ${sql.join(homes, sql` and `)}
        union all
        select p.id
        from resident p
        where p.owner_id = ${scope.ownerId} and ${notDeleted('p')} and p.home_project = any(${wholeProjects})
      )
    )`,
  ]
}

registerFileAccess(resident.name, caller =>
  hasPermission(caller, menu.resident.permissions.view)
    ? sql.join([tenantFilter(resident, caller), ...residentDomainFilter(caller)], sql` and `)
    : undefined,
)

/** Residents by id; those outside the data domain refuse with 10003, absent ones are left out. */
export async function findResidentsByIds(
  db: Db,
  scope: Scope,
  ids: readonly (number | string)[],
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Resident[]> {
  const found = await findByIds(db, resident, scope, ids, { lock })
  if (!scope.domain.all && found.length) {
    const visible = await db.rows<{ id: Id }>(
      sql`
        select t.id
        from resident t
        where t.owner_id = ${scope.ownerId}
          and t.id = any(${found.map(r => r.id)})
          and ${sql.join(residentDomainFilter(scope), sql` and `)}
      `,
    )
    if (visible.length !== found.length) throw outOfDomain()
  }
  return found
}

export async function requireResident(
  db: Db,
  scope: Scope,
  id: Id,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Resident> {
  const [found] = await findResidentsByIds(db, scope, [id], { lock })
  if (!found) throw notFound()
  return found
}
