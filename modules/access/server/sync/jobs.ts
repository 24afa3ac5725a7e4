import { dayOfInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { systemScope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Sql } from '../reach/query.ts'
import { findAffected, type Mark } from './affected.ts'
import { devicePlans } from './device-plans.ts'
import { markProjects } from './dirty.ts'
import { planProject } from './plan.ts'

const marksAtOnce = 20_000

/**
 * Another process may have some of them: each takes what is left. As an array the numbers are chosen once; as
 * a set the planner may choose them again for every row.
 */
const takeMarks = (tx: Tx, ownerId: Id): Promise<Mark[]> =>
  tx.rows(sql`
    delete from access_dirty
    where owner_id = ${ownerId}
      and id = any(array(
        select id
        from access_dirty
        where owner_id = ${ownerId}
        order by id
        limit ${marksAtOnce}
        for update skip locked
      ))
    returning subject, record_id, project_code, item_key
  `)

async function planCompany(app: App, tx: Tx, ownerId: Id): Promise<void> {
  const marks = await takeMarks(tx, ownerId)
  if (!marks.length) return
  const scope = systemScope(ownerId, new Date(app.clock()).toISOString())
  for (const affected of await findAffected(tx, ownerId, marks)) {
    await planProject(tx, scope, affected)
    for (const { plan } of devicePlans()) {
      await plan(tx, scope, affected)
    }
  }
}

/** Every second: what has changed reaches the devices; what fails stays marked. */
export async function planChanged(app: App): Promise<void> {
  await forEachDueCompany(app.database, sql`select distinct owner_id from access_dirty`, (tx, ownerId) =>
    planCompany(app, tx, ownerId),
  )
}

/** Projects with devices that hold credentials, by a condition on the company of `l`. */
const selectProjects = (ofCompany: Sql): Sql =>
  sql.join(
    [
      sql`select l.owner_id, l.project_code from doorway_device l where ${ofCompany} and ${notDeleted('l')}`,
      ...devicePlans().map(plan => plan.selectProjects(ofCompany)),
    ],
    sql` union `,
  )

/**
 * ACS-4: what begins or ends with a day is found on that day, in each project as a whole, as soon as a server
 * runs on it; what no event has reported is found by it too.
 */
export async function planDays(app: App): Promise<void> {
  const today = dayOfInstant(app.clock())
  const isDue = (ownerId: Sql): Sql => sql`
    not exists (
      select 1
      from access_plan_day p
      where p.owner_id = ${ownerId} and p.project_code = l.project_code and p.planned_day >= ${today}::date
    )
  `
  const due = sql<{ ownerId: Id }>`
    select distinct l.owner_id from (${selectProjects(sql`true`)}) l where ${isDue(sql`l.owner_id`)}
  `
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const projects = await tx.rows<{ projectCode: string }>(sql`
      insert into access_plan_day (owner_id, project_code, planned_day)
      select ${ownerId}::bigint, l.project_code, ${today}::date
      from (${selectProjects(sql`l.owner_id = ${ownerId}`)}) l
      where ${isDue(sql`${ownerId}::bigint`)}
      on conflict (owner_id, project_code) do update set planned_day = excluded.planned_day
      returning project_code
    `)
    markProjects(
      tx,
      ownerId,
      projects.map(({ projectCode }) => projectCode),
    )
  })
}
