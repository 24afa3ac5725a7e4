import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { systemScope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { live, code, codes } from '#kit/server/sql.ts'
import { countRelations } from '#modules/fees/server/public.ts'
import { billMode, relationState } from '#modules/fees/contract/choices.ts'
import { latestUndueDay } from './run-plan.ts'
import { isAutoBilled, prepareRun } from './run-scope.ts'
import { startRun } from './run.ts'
import { runKind, runState } from '../contract/choices.ts'

/**
 * Starts a run for every project with something due (GEN-1). May run any number of times: a project with a
 * running one is passed over.
 */
export async function startNightlyRuns(app: App, signal?: AbortSignal): Promise<number> {
  const today = dayOfMoment(fromInstant(app.clock()))
  const { database } = app
  const estates = await database.reader('*').rows<{
    ownerId: number
    projectCode: string
  }>(sql`
    select distinct s.owner_id, s.project_code
    from fee_standard s
    join fee_item i on i.owner_id = s.owner_id
      and i.id = s.fee_item_id
      and i.bill_mode = ${code(billMode, 'auto')}
    where ${live('s')}
      and exists (
        select 1
        from fee_relation r
        where r.owner_id = s.owner_id
          and r.standard_id = s.id
          and ${live('r')}
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
  let begun = 0
  for (const { ownerId, projectCode } of estates) {
    if (signal?.aborted) break
    const scope = systemScope(ownerId)
    const p = await prepareRun(
      database.reader(ownerId),
      scope,
      projectCode,
      {},
      { today, due: c => latestUndueDay(c, today), only: isAutoBilled },
    )
    const total = p.run.standards.size
      ? await countRelations(database.reader(ownerId), ownerId, { ...p.walk, after: 0 })
      : 0
    if (!total) continue
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
    begun++
  }
  return begun
}

export const nightlyRunCron = defineCron({
  name: 'bills-generate',
  schedule: '0 2 * * *',
  run: async (app, signal) => {
    await startNightlyRuns(app, signal)
  },
})
