import { parseId, type Id } from '#kit/domain/id.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasPermission, hasProject } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { loadActiveCallers } from '#modules/accounts/server/public.ts'
import { planState, taskState, workKind } from '#modules/planned-work/contract/choices.ts'
import { workPlan, type WorkPlan } from '#modules/planned-work/contract/plan.ts'
import { lockGeneration, planHooks, previewPlan, setPlanState } from '#modules/planned-work/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { listPatrolOfficers, patrolPlans, previewPatrolPlan, setPatrolPlanState } from '../contract/plan.ts'
import { menu } from '../module.ts'

const { filter, ...hooks } = planHooks('patrol')

interface PlanSearch {
  readonly roadId?: Id | undefined
  readonly staffId?: Id | undefined
}

const planConditions = ({ roadId, staffId }: PlanSearch): RawBuilder<unknown>[] => [
  ...(roadId === undefined ? [] : [sql`t.subject_id = ${roadId}`]),
  ...(staffId === undefined ? [] : [sql`t.staff_ids @> array[${String(staffId)}]::text[]`]),
]

export const planServer = crudHandlers(patrolPlans, {
  ...hooks,
  filter: async (query: PlanSearch, c) => [...((await filter?.(query, c)) ?? []), ...planConditions(query)],
})

/** Why a plan cannot be started or stopped. */
const stateRefusal =
  (state: WorkPlan['state'], today: string) =>
  ({ kind, state: before, endDate }: WorkPlan): string | undefined => {
    if (kind !== 'patrol') return notFound().message
    if (before === state) return state === 'enabled' ? '计划已启用' : '计划已停用'
    if (state === 'enabled' && endDate !== undefined && endDate < today) return '止日已过，请先修改止日'
    return undefined
  }

interface OfficerRow {
  readonly id: Id
  readonly name: string
  readonly departmentName?: string
  readonly position?: string
  readonly managerId?: Id
  readonly planCount: number
  readonly todayTasks: number
  readonly openTasks: number
}

interface OfficerSearch {
  readonly keyword?: string | undefined
  readonly ids?: readonly string[] | undefined
}

/** People with the rounds that they have: of a task that any of several may take, each of them. */
const findOfficers = (
  db: Db,
  ownerId: Id,
  today: string,
  { keyword, ids }: OfficerSearch,
): Promise<readonly OfficerRow[]> =>
  db.rows<OfficerRow>(sql`
    with plans as (
      select s.id, count(*)::int as n
      from work_plan p
      cross join unnest(p.staff_ids) as s(id)
      where p.owner_id = ${ownerId}
        and p.kind = ${code(workKind, 'patrol')}
        and p.state = ${code(planState, 'enabled')}
        and ${notDeleted('p')}
      group by s.id
    ), tasks as (
      select s.id, count(*)::int as n,
        (count(*) filter (where t.state in ${codes(taskState, 'waiting', 'running')}))::int as open
      from work_task t
      cross join unnest(coalesce(t.candidate_ids, array[t.staff_id::text])) as s(id)
      where t.owner_id = ${ownerId}
        and t.kind = ${code(workKind, 'patrol')}
        and t.task_date = ${today}::date
        and t.state <> ${code(taskState, 'disabled')}
        and ${notDeleted('t')}
      group by s.id
    )
    select s.id, s.name, d.name as department_name, s.position, s.manager_id,
      coalesce(plans.n, 0) as plan_count, coalesce(tasks.n, 0) as today_tasks, coalesce(tasks.open, 0) as open_tasks
    from staff s
    left join department d on d.owner_id = ${ownerId} and d.id = s.department_id
    left join plans on plans.id = s.id::text
    left join tasks on tasks.id = s.id::text
    where s.owner_id = ${ownerId}
      and s.state <> ${code(staffState, 'left')}
      and ${notDeleted('s')}
      ${keyword ? sql`and (s.name ilike ${`%${keyword}%`} or s.staff_no ilike ${`%${keyword}%`})` : sql``}
      ${ids ? sql`and s.id = any(${ids.map(parseId)}::bigint[])` : sql``}
    order by coalesce(plans.n, 0) desc, s.name, s.id
    limit 1000
  `)

export const planHandlers = [
  writes(setPatrolPlanState, async ({ ids, state, reason }, c) => {
    if (state !== 'enabled' && state !== 'disabled') return refuse('只能启用或停用')
    const { tx, scope, today } = c
    await lockGeneration(tx, scope)
    const found = await findByIds(tx, workPlan, scope, ids.map(parseId), { lock: true })
    const { allowed, refused } = judgeRecords(found, stateRefusal(state, today), plan => plan.planName)
    if (allowed.length) {
      await setPlanState(
        c,
        'patrol',
        allowed.map(plan => plan.id),
        state,
        reason,
      )
    }
    return bulkResultOf(ids, found, refused)
  }),
  reads(previewPatrolPlan, async (draft, c) => {
    const tasks = await previewPlan(c, { ...draft, kind: 'patrol' })
    return tasks.map(({ day, begin, end, staffNames, nobodyReason, absences }) => ({
      taskDate: day,
      beginTime: begin,
      endTime: end,
      staffNames,
      nobodyReason,
      absentNames: absences,
    }))
  }),
  reads(
    listPatrolOfficers,
    async ({ page = 1, size = 20, projectCode, keyword, ids }, { db, scope, today }) => {
      const officers = await findOfficers(db, scope.ownerId, today, { keyword, ids })
      const { walk } = menu.task.permissions
      const walkers = new Set(
        (await loadActiveCallers(db, scope.ownerId))
          .filter(caller => hasPermission(caller, walk))
          .filter(caller => projectCode === undefined || hasProject(caller.domain, projectCode))
          .map(caller => caller.operatorId),
      )
      const rows = officers.slice((page - 1) * size, page * size).map(({ managerId, ...officer }) => ({
        ...officer,
        hasAccount: managerId !== undefined,
        canWalk: managerId !== undefined && walkers.has(managerId),
      }))
      return { total: officers.length, rows }
    },
  ),
]
