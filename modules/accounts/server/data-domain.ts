import type { Id } from '#kit/domain/id.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { building } from '#modules/estates/contract/building.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { getDataDomain, saveDataDomain } from '../contract/data-domain.ts'
import { manager } from '../contract/manager.ts'
import { publishDataDomainSaved } from './domain-event.ts'
import { refreshSessionsOnCommit, requireManageableAccounts } from './granting.ts'
import { notifyPermissionsChanged } from './account-notifications.ts'

interface ProjectDomain {
  readonly projectCode: string
  readonly buildCodes?: readonly string[] | undefined
}

const loadProjectDomains = (
  db: Pick<Db, 'rows'>,
  scope: Scope,
  id: Id,
): Promise<(ProjectDomain & { projectName?: string })[]> =>
  db.rows(sql`
    select d.project_code, e.name as project_name, d.build_codes
    from manager_data_domain d
    left join ${sql.table(estate.table)} e on e.owner_id = ${scope.ownerId}
      and e.project_code = d.project_code
      and ${notDeleted('e')}
    where d.owner_id = ${scope.ownerId} and d.manager_id = ${id}
    order by e.sort, d.project_code
  `)

/** Both forms of the input as one: whole projects by code, and projects with some of their buildings. */
function parseProjectDomains(input: {
  readonly projectCodes?: readonly string[]
  readonly places?: readonly ProjectDomain[]
}): Map<string, readonly string[] | undefined> {
  const all = new Map<string, readonly string[] | undefined>(
    (input.projectCodes ?? []).map(p => [p, undefined]),
  )
  for (const p of input.places ?? []) {
    all.set(p.projectCode, p.buildCodes?.length ? p.buildCodes : undefined)
  }
  return all
}

/**
 * Refuses projects and buildings that do not exist, and those outside the granter's own data domain (PERM-4,
 * PERM-6).
 */
async function validateProjectDomains(
  tx: Tx,
  scope: Scope,
  places: ReadonlyMap<string, readonly string[] | undefined>,
): Promise<void> {
  await assertPlacesExist(tx, scope, places)
  for (const [project, buildings] of places) {
    if (!hasProject(scope.domain, project)) throw outOfDomain()
    const hasOnlySome = !scope.domain.all && scope.domain.projects.get(project)
    if (hasOnlySome && !buildings?.length) refuse('你只负责该项目的部分楼栋，不能授予整个项目')
    if (buildings?.some(code => !hasBuilding(scope.domain, project, code)))
      refuse('不能授予你自己数据范围之外的楼栋')
  }
}

async function assertPlacesExist(
  tx: Tx,
  scope: Scope,
  places: ReadonlyMap<string, readonly string[] | undefined>,
): Promise<void> {
  const pairs = [...places].flatMap(([project, codes]) => (codes ?? []).map(code => [project, code] as const))
  const [projects, buildings] = await tx.all<
    [{ projectCode: string }, { projectCode: string; code: string }]
  >(
    sql`
      select project_code
      from ${sql.table(estate.table)}
      where owner_id = ${scope.ownerId}
        and ${notDeleted()}
        and project_code = any(${[...places.keys()]}::text[])
    `,
    sql`
      select project_code, code
      from ${sql.table(building.table)}
      where owner_id = ${scope.ownerId}
        and ${notDeleted()}
        and (project_code, code) in (
          select *
          from unnest(
            ${pairs.map(([project]) => project)}::text[],
            ${pairs.map(([, code]) => code)}::text[]
          )
        )
    `,
  )
  const unknownProject = [...places.keys()].find(
    project => !projects.some(known => known.projectCode === project),
  )
  if (unknownProject !== undefined)
    throw invalidInput([{ Field: 'Projectcodes', Message: `项目「${unknownProject}」不存在` }])
  const unknownBuilding = pairs.find(
    ([project, code]) => !buildings.some(known => known.projectCode === project && known.code === code),
  )
  if (unknownBuilding) {
    const [project, code] = unknownBuilding
    throw invalidInput([{ Field: 'Places', Message: `项目「${project}」没有楼栋「${code}」` }])
  }
}

/** Replaces the projects and buildings of an account. */
async function saveProjectDomains(
  tx: Tx,
  ownerId: Id,
  managerId: Id,
  places: readonly ProjectDomain[],
): Promise<void> {
  await tx.execute(
    sql`delete from manager_data_domain where owner_id = ${ownerId} and manager_id = ${managerId}`,
  )
  if (!places.length) return
  const rows = places.map(place => ({
    project_code: place.projectCode,
    build_codes: place.buildCodes ?? null,
  }))
  await tx.execute(sql`
    insert into manager_data_domain (owner_id, manager_id, project_code, build_codes)
    select ${ownerId}, ${managerId}, r.project_code, r.build_codes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(project_code text, build_codes text[])
    returning project_code
  `)
}

function describeDomain(allProject: boolean, places: readonly ProjectDomain[]): string {
  if (allProject) return '数据范围：全部项目'
  return `数据范围：${places.length ? `${places.length} 个项目` : '没有项目'}`
}

export const dataDomainHandlers = [
  reads(getDataDomain, async ({ managerId }, { db, scope }) => {
    const [managerRow] = await findByIds(db, manager, scope, [managerId])
    if (!managerRow) throw notFound()
    const places = (await loadProjectDomains(db, scope, managerId)).filter(p =>
      hasProject(scope.domain, p.projectCode),
    )
    return {
      managerId,
      allProject: managerRow.allProject || managerRow.managerType === 'owner',
      projectCodes: places.map(p => p.projectCode),
      places,
    }
  }),
  writes(saveDataDomain, async (input, { tx, scope, app }) => {
    const { managerId, allProject } = input
    const { ownerId } = scope
    await requireManageableAccounts(tx, scope, [managerId])
    if (allProject && !scope.domain.all) refuse('你自己没有全部项目的数据范围，不能授予他人')
    const [account] = await findByIds(tx, manager, scope, [managerId], { lock: true })
    if (!account) throw notFound()
    const before = { allProject: account.allProject, places: await loadProjectDomains(tx, scope, managerId) }
    const buildingsByProject = allProject ? new Map<string, undefined>() : parseProjectDomains(input)
    await validateProjectDomains(tx, scope, buildingsByProject)
    const places = [...buildingsByProject].map(([projectCode, buildCodes]) => ({ projectCode, buildCodes }))
    await tx.execute(
      sql`
        update manager
        set all_project = ${allProject}, ${touch(scope)}
        where owner_id = ${ownerId} and id = ${managerId}
      `,
    )
    await saveProjectDomains(tx, ownerId, managerId, places)
    const projectCodes = [...buildingsByProject.keys()]
    await publishDataDomainSaved(tx, scope, { managerId, allProject, projectCodes })
    await audit(tx, scope, [
      { action: 'grant', entity: 'manager', entityId: managerId, before, after: { allProject, places } },
    ])
    await notifyPermissionsChanged(tx, app, scope, [managerId], describeDomain(allProject, places))
    refreshSessionsOnCommit(tx, app, ownerId, [managerId])
  }),
]
