import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { forEachCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import { countRelations } from '#modules/fees/server/public.ts'
import { billMode, relationState } from '#modules/fees/contract/choices.ts'
import { latestUndueDay } from './run-plan.ts'
import { isAutoBilled, prepareRun } from './run-scope.ts'
import { startRun } from './run.ts'
import { runKind, runState } from '../contract/choices.ts'

interface DueProject {
  readonly ownerId: Id
  readonly projectCode: string
}

/** Projects with something charged automatically and no nightly run under way. */
const listDueProjects = (database: Database): Promise<DueProject[]> =>
  database.reader('*').rows<DueProject>(sql`
    select distinct s.owner_id, s.project_code
    from fee_standard s
    join fee_item i on i.owner_id = s.owner_id
      and i.id = s.fee_item_id
      and i.bill_mode = ${code(billMode, 'auto')}
    where ${notDeleted('s')}
      and exists (
        select 1
        from fee_relation r
        where r.owner_id = s.owner_id
          and r.standard_id = s.id
          and ${notDeleted('r')}
          and r.state = ${code(relationState, 'charging')}
      )
      and not exists (
        select 1
        from bill_run b
        where b.owner_id = s.owner_id
          and b.project_code = s.project_code
          and b.kind = ${code(runKind, 'nightly')}
          and b.state in ${codes(runState, 'waiting', 'running')}
      )
    order by 1, 2
  `)

/** Returns whether there was anything to bill. */
async function startNightlyRun(app: App, { ownerId, projectCode }: DueProject, today: Day): Promise<boolean> {
  const { database } = app
  const scope = clockScope(app, ownerId)
  const plan = await prepareRun(
    database.reader(ownerId),
    scope,
    projectCode,
    {},
    { today, due: cycle => latestUndueDay(cycle, today), only: isAutoBilled },
  )
  const total = plan.run.standards.size
    ? await countRelations(database.reader(ownerId), ownerId, { ...plan.walk, after: 0 })
    : 0
  if (!total) return false
  await database.tx(ownerId, tx =>
    startRun(tx, scope, app.jobs, {
      project: projectCode,
      kind: 'nightly',
      scope: {},
      total,
      title: `${today} 自动出账`,
      today,
    }),
  )
  return true
}

/**
 * Starts a run for every project with something due (GEN-1). May run any number of times: a project with a
 * running one is passed over. Returns how many were started.
 */
export async function startNightlyRuns(app: App, signal?: AbortSignal): Promise<number> {
  const today = dayOfMoment(fromInstant(app.clock()))
  const projectsByOwner = Map.groupBy(await listDueProjects(app.database), project => project.ownerId)
  let started = 0
  await forEachCompany(
    projectsByOwner.keys(),
    async ownerId => {
      for (const project of projectsByOwner.get(ownerId) ?? []) {
        signal?.throwIfAborted()
        started += (await startNightlyRun(app, project, today)) ? 1 : 0
      }
    },
    signal,
  )
  return started
}

export const nightlyRunCron = defineCron({
  name: 'bills-generate',
  schedule: '0 2 * * *',
  run: async (app, signal) => {
    await startNightlyRuns(app, signal)
  },
})
