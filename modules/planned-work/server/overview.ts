import { daysBetween, type Day } from '#kit/domain/day.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code, flagFilter, notDeleted } from '#kit/server/sql.ts'
import { findPage } from '#kit/server/table.ts'
import { targetType, taskState, type TargetType, type WorkKind } from '../contract/choices.ts'
import { getWorkCalendar, listAllRecords, listAllTasks, listWorkKinds } from '../contract/overview.ts'
import { recordFilters, taskFilters } from '../contract/task-calls.ts'
import { workTask } from '../contract/task.ts'
import { registeredKinds, requireWorkKind, type Condition } from './kinds.ts'
import { ofKinds } from './rates.ts'
import { awaitsAgainCondition, staffConditions } from './task-conditions.ts'
import { enrichTasks, findRecordPage } from './task-lists.ts'

const maxCalendarDays = 42

/** As many as a calendar can show; the page says how many there are. */
const maxCalendarTasks = 2000

export function assertSpan(from: Day, to: Day, maxDays: number): void {
  if (to < from) throw invalidField('EndDate', '止日不能早于起日')
  if (daysBetween(from, to) >= maxDays) throw invalidField('EndDate', `最多查询 ${maxDays} 天`)
}

/** The kinds that the caller may see, of those asked for. */
export const visibleKinds = (scope: Scope, asked?: readonly WorkKind[]): readonly WorkKind[] =>
  registeredKinds().filter(
    kind => hasPermission(scope, requireWorkKind(kind).viewNeeds) && (!asked?.length || asked.includes(kind)),
  )

/** Tasks `t` whose plan is about objects of a sort; kinds with one sort of objects need not say it. */
const ofTargetType = (type: TargetType | undefined, { ownerId }: Scope): Condition[] =>
  type === undefined
    ? []
    : [
        sql`t.plan_id in (
          select id from work_plan where owner_id = ${ownerId} and target_type = ${code(targetType, type)}
        )`,
      ]

interface CountedSearch {
  readonly kinds?: readonly WorkKind[] | undefined
  readonly targetType?: TargetType | undefined
  readonly targetId?: number | undefined
  readonly withoutTarget?: boolean | undefined
  readonly isUnassigned?: boolean | undefined
}

/** Conditions on tasks `t` of what a figure counts. */
const countedConditions = (
  { targetType: type, targetId, withoutTarget, isUnassigned }: CountedSearch,
  subjectId: number | undefined,
  scope: Scope,
): Condition[] => [
  ...ofTargetType(type, scope),
  ...(targetId === undefined ? [] : [sql`t.target_id = ${targetId}`]),
  ...(subjectId === undefined ? [] : [sql`t.subject_id = ${subjectId}`]),
  ...flagFilter(withoutTarget, sql`t.target_id = 0`),
  ...flagFilter(isUnassigned, sql`t.staff_id is null`),
]

const isCountedTask: Condition = sql`t.state <> ${code(taskState, 'disabled')}`

export const overviewHandlers = [
  reads(listWorkKinds, async (_input, { scope }) =>
    visibleKinds(scope).map(kind => ({ kind, taskPath: requireWorkKind(kind).taskPath })),
  ),
  reads(getWorkCalendar, async ({ projectCode, from, to, kinds, staffIds }, { db, scope }) => {
    assertSpan(from, to, maxCalendarDays)
    const query = { order: 'beginTime', size: maxCalendarTasks, ...(projectCode && { projectCode }) }
    const where = [
      ofKinds(visibleKinds(scope, kinds)),
      sql`t.task_date between ${from} and ${to}`,
      ...staffConditions(staffIds),
    ]
    const page = await findPage(db, workTask, scope, query, { where })
    return { ...page, rows: await enrichTasks(db, scope, page.rows) }
  }),
  reads(listAllTasks, async (input, { db, scope, today }) => {
    const where = [
      ofKinds(visibleKinds(scope, input.kinds)),
      ...countedConditions(input, input.subjectId, scope),
      ...flagFilter(input.isNobody, sql`t.nobody_reason is not null`),
      ...flagFilter(input.awaitsAgain, awaitsAgainCondition(scope, today)),
      ...flagFilter(input.isCounted, isCountedTask),
    ]
    const page = await findPage(db, workTask, scope, input, { filters: taskFilters, where })
    return { ...page, rows: await enrichTasks(db, scope, page.rows) }
  }),
  reads(listAllRecords, (input, { db, scope }) => {
    const { kinds, planId, taskStaffId, workId, taskDateFrom, taskDateTo } = input
    const ofKind = ofKinds(visibleKinds(scope, kinds))
    // The days are here too: the tasks of these days are looked at, not all that ever were.
    const ofTask = [
      sql`t.owner_id = ${scope.ownerId}`,
      isCountedTask,
      notDeleted('t'),
      ofKind,
      ...(taskDateFrom === undefined ? [] : [sql`t.task_date >= ${taskDateFrom}`]),
      ...(taskDateTo === undefined ? [] : [sql`t.task_date <= ${taskDateTo}`]),
      ...countedConditions(input, workId, scope),
      ...(planId === undefined ? [] : [sql`t.plan_id = ${planId}`]),
      ...(taskStaffId === undefined ? [] : [sql`t.staff_id = ${taskStaffId}`]),
    ]
    return findRecordPage(db, scope, input, {
      filters: recordFilters,
      where: [
        ofKind,
        sql`t.result is not null`,
        sql`t.task_id in (select t.id from work_task t where ${sql.join(ofTask, sql` and `)})`,
      ],
    })
  }),
]
