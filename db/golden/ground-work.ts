import { defined } from '#kit/domain/defined.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds, insertAll } from '#kit/server/table.ts'
import { signType, stepResult, stepVerdict, taskState } from '#modules/planned-work/contract/choices.ts'
import { workPlan } from '#modules/planned-work/contract/plan.ts'
import { closeTasks } from '#modules/planned-work/server/close.ts'
import { draftTasks } from '#modules/planned-work/server/drafts.ts'
import {
  insertSteps,
  insertTasks,
  keyOfDraft,
  type PlannedTask,
} from '#modules/planned-work/server/task-writes.ts'
import { loadWorkContext } from '#modules/planned-work/server/work-context.ts'
import { findOwnStaff, findWorkers } from './ground-workers.ts'
import { pastPlan } from './past-plan.ts'

/** How many days of work have been done when the demo begins. */
const pastDays = 15

interface Named {
  readonly id: Id
  readonly name: string
}

const findNamed = (tx: Tx, { ownerId }: Scope, table: string, column: string, projectCode?: string) =>
  tx.rows<Named>(sql`
    select id, ${sql.id(column)} as name
    from ${sql.table(table)}
    where owner_id = ${ownerId}
      and ${notDeleted()}
      ${projectCode === undefined ? sql`` : sql`and project_code = ${projectCode}`}
    order by id
  `)

const idOf = (rows: readonly Named[], name: string): Id => defined(rows.find(row => row.name === name)).id

const textsOf = (rows: readonly Named[], ...names: readonly string[]): string[] =>
  rows.filter(row => !names.length || names.includes(row.name)).map(({ id }) => String(id))

/** Points and areas have the person who answers for them. */
async function assignWorkers(tx: Tx, scope: Scope, projectCode: string, staffIds: readonly string[]) {
  for (const [table, column] of [
    ['cleaning_location', 'staff_id'],
    ['green_area', 'manager_id'],
  ] as const) {
    await tx.execute(sql`
      update ${sql.table(table)}
      set ${sql.id(column)} = (${[...staffIds]}::bigint[])[1 + id % ${staffIds.length}]
      where owner_id = ${scope.ownerId} and project_code = ${projectCode}
    `)
  }
}

/** From today on, of those whom any of several people takes. */
const sharedPlans = async (tx: Tx, scope: Scope, projectCode: string, today: Day, staffIds: string[]) => {
  const anyone = {
    staffMode: 'anyone' as const,
    staffIds,
    beginDate: today,
    cycleType: 'daily' as const,
  }
  const greenTemplates = await findNamed(tx, scope, 'green_template', 'template_name')
  const areas = await findNamed(tx, scope, 'green_area', 'area_name', projectCode)
  const cleaningTemplates = await findNamed(tx, scope, 'cleaning_template', 'template_name')
  const points = await findNamed(tx, scope, 'cleaning_location', 'location_name', projectCode)
  return [
    {
      ...anyone,
      kind: 'greening' as const,
      planName: '中心花园午后巡查',
      subjectId: idOf(greenTemplates, '日常养护'),
      targetIds: textsOf(areas, '中心花园'),
      times: [{ begin: '15:30', end: '17:00' }],
    },
    {
      ...anyone,
      kind: 'cleaning' as const,
      planName: '大堂午后巡检',
      subjectId: idOf(cleaningTemplates, '大堂与电梯厅'),
      targetIds: textsOf(points, '大堂'),
      times: [{ begin: '16:00', end: '17:30' }],
    },
  ]
}

async function greenPlans(tx: Tx, scope: Scope, projectCode: string) {
  const templates = await findNamed(tx, scope, 'green_template', 'template_name')
  const areas = await findNamed(tx, scope, 'green_area', 'area_name', projectCode)
  const kind = 'greening' as const
  const daily = idOf(templates, '日常养护')
  return [
    {
      kind,
      planName: '绿地日常养护',
      calendarRule: 'workdays' as const,
      subjectId: daily,
      targetIds: textsOf(areas),
      cycleType: 'daily' as const,
      times: [{ begin: '07:00', end: '09:30' }],
    },
    {
      kind,
      planName: '中心花园精修',
      subjectId: daily,
      targetIds: textsOf(areas, '中心花园'),
      cycleType: 'everyDays' as const,
      cycle: { everyDays: 3 },
      times: [{ begin: '15:00', end: '17:00' }],
    },
    {
      kind,
      planName: '月度养护检查',
      subjectId: idOf(templates, '月度养护检查'),
      targetIds: textsOf(areas),
      cycleType: 'monthly' as const,
      cycle: { monthDays: ['5', '20'] },
      times: [{ begin: '09:00', end: '12:00' }],
    },
  ]
}

async function cleaningPlans(tx: Tx, scope: Scope, projectCode: string) {
  const templates = await findNamed(tx, scope, 'cleaning_template', 'template_name')
  const points = await findNamed(tx, scope, 'cleaning_location', 'location_name', projectCode)
  const kind = 'cleaning' as const
  const hall = idOf(templates, '大堂与电梯厅')
  return [
    {
      kind,
      planName: '大堂保洁检查',
      calendarRule: 'workdays' as const,
      subjectId: hall,
      targetIds: textsOf(points, '大堂'),
      cycleType: 'daily' as const,
      times: [
        { begin: '09:00', end: '10:00' },
        { begin: '16:00', end: '17:00' },
      ],
    },
    {
      kind,
      planName: '电梯厅保洁检查',
      calendarRule: 'workdays' as const,
      subjectId: hall,
      targetIds: textsOf(points, '电梯厅'),
      cycleType: 'daily' as const,
      times: [{ begin: '10:00', end: '11:00' }],
    },
    {
      kind,
      planName: '楼道保洁周检',
      subjectId: idOf(templates, '楼道'),
      targetIds: textsOf(points, '楼道'),
      cycleType: 'weekly' as const,
      cycle: { weekDays: ['1', '3', '5'] },
      times: [{ begin: '14:00', end: '16:00' }],
    },
  ]
}

async function addTasks(tx: Tx, scope: Scope, planIds: readonly Id[], now: Moment): Promise<void> {
  const plans = await findByIds(tx, workPlan, scope, planIds)
  const today = dayOfMoment(now)
  const span = { from: addDays(today, -pastDays), to: addDays(today, 1) }
  const context = await loadWorkContext(tx, scope.ownerId, plans, span)
  const drafts = plans.flatMap(plan =>
    draftTasks(plan, context, span.from, span.to).map((draft): PlannedTask => ({ ...draft, plan })),
  )
  const ids = await insertTasks(tx, scope, drafts)
  await insertSteps(
    tx,
    scope,
    drafts.map(draft => ({ draft, taskId: defined(ids.get(keyOfDraft(draft))) })),
  )
}

/** Of the tasks that are over most were done whole, some in part, a few not at all. */
async function finishPast(tx: Tx, scope: Scope, planIds: readonly Id[], now: Moment): Promise<void> {
  const { ownerId } = scope
  const ofPlans = sql`
    t.owner_id = ${ownerId}
    and t.plan_id = any(${[...planIds]}::bigint[])
    and t.close_time < ${now}::timestamptz`
  const draw = sql`(s.id * 7 + s.sort) % 29`
  await tx.execute(sql`
    update work_step s
    set sign_time = to_timestamp(
        extract(epoch from case when ${draw} = 3 then t.end_time else t.begin_time end) + 60 * (8 + s.sort * 4)
      ),
      sign_type = ${code(signType, 'manual')}, staff_id = t.staff_id,
      result = case when ${draw} = 3 then ${code(stepResult, 'late')} else ${code(stepResult, 'normal')} end,
      verdict = case when ${draw} in (5, 11) then ${code(stepVerdict, 'failed')}
        when ${draw} = 13 then ${code(stepVerdict, 'notApplicable')} else ${code(stepVerdict, 'passed')} end,
      is_abnormal = ${draw} in (5, 11),
      remark = case when ${draw} in (5, 11) then '已现场整改' end
    from work_task t
    where s.owner_id = ${ownerId} and s.task_id = t.id and ${ofPlans}
      and t.staff_id is not null and t.id % 17 <> 0 and ${draw} <> 0
  `)
  const count = (condition: ReturnType<typeof sql>) => sql`(count(*) filter (where ${condition}))::int`
  await tx.execute(sql`
    update work_task t
    set step_done = r.done, normal_count = r.normal, late_count = r.late, abnormal_count = r.abnormal,
      sign_time = r.first
    from (
      select s.task_id, ${count(sql`s.sign_time is not null`)} as done,
        ${count(sql`s.result = ${code(stepResult, 'normal')}`)} as normal,
        ${count(sql`s.result = ${code(stepResult, 'late')}`)} as late,
        ${count(sql`s.is_abnormal`)} as abnormal, min(s.sign_time) as first
      from work_step s
      where s.owner_id = ${ownerId}
      group by s.task_id
    ) r
    where r.task_id = t.id and ${ofPlans}
  `)
  const due = await tx.rows<{ id: Id }>(sql`select t.id from work_task t where ${ofPlans} order by t.id`)
  await closeTasks(
    tx,
    scope,
    due.map(({ id }) => id),
    now,
  )
  // Done whole in its time, else when its time was over.
  await tx.execute(sql`
    update work_task t
    set finish_time = coalesce(
      (
        select max(s.sign_time)
        from work_step s
        where s.owner_id = ${ownerId} and s.task_id = t.id and t.state in ${codes(taskState, 'done')}
      ),
      t.close_time
    )
    where ${ofPlans}
  `)
}

/** Plans of greening and cleaning of a project, with the scored inspections of the last two weeks. */
export async function seedGroundWork(
  database: Database,
  scope: Scope,
  projectCode: string,
  login: string,
): Promise<void> {
  const now = fromInstant(Date.now())
  await database.tx(scope.ownerId, async tx => {
    const staffIds = await findWorkers(tx, scope)
    if (!staffIds.length) return
    const shared = {
      ...pastPlan(projectCode, now, pastDays),
      staffMode: 'rotation' as const,
      staffIds,
    }
    const anyone = [...staffIds, ...(await findOwnStaff(tx, scope, login))]
    await assignWorkers(tx, scope, projectCode, staffIds)
    const plans = [
      ...(await greenPlans(tx, scope, projectCode)),
      ...(await cleaningPlans(tx, scope, projectCode)),
      ...(await sharedPlans(tx, scope, projectCode, dayOfMoment(now), anyone)),
    ]
    const ids = await insertAll(
      tx,
      workPlan,
      scope,
      plans.map(plan => ({ ...shared, ...plan })),
    )
    await addTasks(tx, scope, ids, now)
    await finishPast(tx, scope, ids, now)
  })
}
