import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { building } from '#modules/estates/contract/building.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { getDataDomain, saveDataDomain } from '../contract/data-domain.ts'
import { manager } from '../contract/manager.ts'
import { refreshSessionsOnCommit, requireManageableAccounts } from './granting.ts'
import { notifyPermissionsChanged } from './account-notifications.ts'

interface ProjectDomain {
  readonly projectCode: string
  readonly buildCodes?: readonly string[]
}

const loadProjectDomains = (
  db: Pick<Db, 'rows'>,
  scope: Scope,
  id: number,
): Promise<(ProjectDomain & { projectName?: string })[]> =>
  db.rows(sql`
    select d.project_code, e.name as project_name, d.build_codes
    from manager_data_domain d
    left join ${sql.table(estate.table)} e on e.owner_id = d.owner_id
      and e.project_code = d.project_code
      and ${live('e')}
    where d.owner_id = ${scope.ownerId} and d.manager_id = ${id}
    order by e.sort, d.project_code
  `)

/** The places said in either form: whole projects by code, and projects with some of their buildings. */
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
 * Refuses projects and buildings that are not there, and those beyond the granter's own reach (PERM-4,
 * PERM-6).
 */
async function validateProjectDomains(
  tx: Tx,
  scope: Scope,
  places: ReadonlyMap<string, readonly string[] | undefined>,
): Promise<void> {
  const pairs = [...places].flatMap(([p, bs]) => (bs ?? []).map(b => [p, b] as const))
  const [projects, buildings] = await tx.all<
    [{ projectCode: string }, { projectCode: string; code: string }]
  >(
    sql`
      select project_code
      from ${sql.table(estate.table)}
      where owner_id = ${scope.ownerId}
        and ${live()}
        and project_code = any(${[...places.keys()]}::text[])
    `,
    sql`
      select project_code, code
      from ${sql.table(building.table)}
      where owner_id = ${scope.ownerId}
        and ${live()}
        and (project_code, code) in (
          select * from unnest(${pairs.map(x => x[0])}::text[], ${pairs.map(x => x[1])}::text[])
        )
    `,
  )
  const lostProject = [...places.keys()].find(p => !projects.some(x => x.projectCode === p))
  if (lostProject !== undefined)
    throw invalidInput([{ Field: 'Projectcodes', Message: `项目「${lostProject}」不存在` }])
  const lostBuilding = pairs.find(([p, b]) => !buildings.some(x => x.projectCode === p && x.code === b))
  if (lostBuilding)
    throw invalidInput([
      { Field: 'Places', Message: `项目「${lostBuilding[0]}」没有楼栋「${lostBuilding[1]}」` },
    ])
  for (const [p, bs] of places) {
    if (!hasProject(scope.domain, p)) throw outOfDomain()
    if (!scope.domain.all && scope.domain.projects.get(p) && !(bs ?? []).length)
      refuse('你只负责该项目的部分楼栋，不能授予整个项目')
    if (bs?.some(b => !hasBuilding(scope.domain, p, b))) refuse('不能授予你自己数据范围之外的楼栋')
  }
}

export const dataDomainHandlers = [
  reads(getDataDomain, async ({ managerId }, { db, scope }) => {
    const [m] = await findByIds(db, manager, scope, [managerId])
    if (!m) throw notFound()
    const places = await loadProjectDomains(db, scope, managerId)
    return {
      managerId,
      allProject: m.allProject || m.managerType === 'owner',
      projectCodes: places.map(p => p.projectCode),
      places,
    }
  }),
  writes(saveDataDomain, async (input, { tx, scope, app }) => {
    const { managerId, allProject } = input
    await requireManageableAccounts(tx, scope, [managerId])
    if (allProject && !scope.domain.all) refuse('你自己没有全部项目的数据范围，不能授予别人')
    const [m] = await findByIds(tx, manager, scope, [managerId], true)
    const before = { allProject: m!.allProject, places: await loadProjectDomains(tx, scope, managerId) }
    const places = allProject ? new Map<string, readonly string[] | undefined>() : parseProjectDomains(input)
    await validateProjectDomains(tx, scope, places)
    await tx.execute(
      sql`
        update manager
        set all_project = ${allProject}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = ${managerId}
      `,
    )
    await tx.execute(
      sql`delete from manager_data_domain where owner_id = ${scope.ownerId} and manager_id = ${managerId}`,
    )
    if (places.size) {
      await tx.execute(sql`
        insert into manager_data_domain (owner_id, manager_id, project_code, build_codes)
        select ${scope.ownerId}, ${managerId}, r.project_code, r.build_codes
        from jsonb_to_recordset(
          ${JSON.stringify([...places].map(([project_code, build_codes]) => ({ project_code, build_codes: build_codes ?? null })))}::jsonb
        ) as r(project_code text, build_codes text[])
      `)
    }
    await audit(tx, scope, [
      {
        action: 'grant',
        entity: 'manager',
        entityId: managerId,
        before,
        after: {
          allProject,
          places: [...places].map(([projectCode, buildCodes]) => ({ projectCode, buildCodes })),
        },
      },
    ])
    await notifyPermissionsChanged(
      tx,
      app,
      scope,
      [managerId],
      `数据范围：${allProject ? '全部项目' : places.size ? `${places.size} 个项目` : '没有项目'}`,
    )
    refreshSessionsOnCommit(tx, app, scope.ownerId, [managerId])
  }),
]
