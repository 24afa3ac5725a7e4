import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds, updateAll } from '#kit/server/table.ts'
import { loadAbsences } from '#modules/attendance/server/public.ts'
import { taskState, type WorkKind } from '../contract/choices.ts'
import { workPlan } from '../contract/plan.ts'
import { workTask, type WorkTask } from '../contract/task.ts'
import { requirePerson } from './arrange.ts'
import { lockGeneration } from './generate.ts'
import { idsOf } from './work-context.ts'

export interface Assignment {
  readonly ids: readonly string[]
  readonly staffId: Id
  /** 改派: of tasks that have a person already. */
  readonly replaces?: boolean | undefined
}

const nameOf = ({ planName, beginTime }: WorkTask): string => `${planName} ${beginTime.slice(0, 16)}`

/** Of one plan, object and begin a person has one task at most. */
const occasionOf = ({ planId, targetId, beginTime }: WorkTask): string =>
  [planId, targetId, beginTime].join('/')

/** What the person does already on the same occasions as these tasks. */
async function loadOccasions(
  { tx, scope }: WriteContext,
  tasks: readonly WorkTask[],
  staffId: Id,
): Promise<Set<string>> {
  const rows = await tx.rows<Pick<WorkTask, 'planId' | 'targetId' | 'beginTime'>>(sql`
    select plan_id, target_id, begin_time
    from work_task
    where owner_id = ${scope.ownerId}
      and staff_id = ${staffId}
      and plan_id = any(${tasks.map(task => task.planId)}::bigint[])
      and task_date = any(${tasks.map(task => task.taskDate)}::date[])
      and id <> all(${tasks.map(task => task.id)}::bigint[])
      and state <> ${code(taskState, 'disabled')}
      and ${notDeleted()}
  `)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the three columns of the key
  return new Set(rows.map(row => occasionOf(row as WorkTask)))
}

/** Why a task stays with whom it has, beside the person's own reasons. */
function refusalOf(task: WorkTask, { staffId, replaces = false }: Assignment, now: Moment) {
  if (task.state !== 'waiting' || task.signTime !== undefined) return '任务已开始或已结束，不能指派'
  if (task.closeTime <= now) return '任务的签到截止时间已过，请结束后重派'
  if (task.staffId === staffId) return '任务已由此人执行'
  const hasPerson = task.staffId !== undefined || Boolean(task.candidateIds?.length)
  if (hasPerson && !replaces) return `任务已有执行人${task.staffName ?? ''}，请刷新后改派`
  return !hasPerson && replaces ? '任务无执行人，请改用指派' : undefined
}

/** The person hears of the tasks within a minute, where their plans remind at all. */
async function setReminders(c: WriteContext, tasks: readonly WorkTask[]): Promise<void> {
  const { tx, scope, now } = c
  const plans = await findByIds(
    tx,
    workPlan,
    scope,
    tasks.map(task => task.planId),
  )
  const reminded = new Set(plans.filter(plan => plan.remindMinutes > 0).map(({ id }) => id))
  const due = tasks.filter(task => reminded.has(task.planId))
  if (!due.length) return
  await tx.execute(sql`
    update work_task t
    set remind_time = ${now}::timestamptz
    from unnest(${sqlArray(
      'bigint',
      due.map(({ id }) => id),
    )}) as d(id)
    where t.owner_id = ${scope.ownerId} and t.id = d.id
  `)
}

/**
 * Gives tasks that nobody has started to a person, record by record: those without one (指派), or those of
 * others (改派). The tasks stay what they are; of two people who assign the same task at once, the second
 * hears that it has a person.
 */
export async function assignTasks(
  c: WriteContext,
  kind: WorkKind,
  assignment: Assignment,
): Promise<BulkResult> {
  const { tx, scope, now } = c
  const { ids, staffId } = assignment
  await lockGeneration(tx, scope)
  const locked = await findByIds(tx, workTask, scope, idsOf(ids), { lock: true })
  const found = locked.filter(task => task.kind === kind)
  const person = await requirePerson(c, staffId)
  const days = found.flatMap(task => [task.taskDate, dayOfMoment(task.endTime)]).toSorted()
  const span = { from: days[0] ?? c.today, to: days.at(-1) ?? c.today }
  const absenceOf = await loadAbsences(tx, scope.ownerId, [staffId], span)
  const occasions = await loadOccasions(c, found, staffId)
  const { allowed, refused } = judgeRecords(
    found,
    task => {
      const refusal = refusalOf(task, assignment, now)
      if (refusal !== undefined) return refusal
      const absence = absenceOf(staffId, task.beginTime, task.endTime)
      if (absence !== undefined) return `${person.name}${absence}，请另选人员`
      if (occasions.has(occasionOf(task))) return '此人此时已有同一计划的任务，请另选人员'
      occasions.add(occasionOf(task))
      return undefined
    },
    nameOf,
  )
  if (ids.length === 1 && !found.length) throw notFound()
  const [only] = refused
  if (ids.length === 1 && only) return refuse(only.reason)
  const patch = {
    staffId,
    candidateIds: undefined,
    nobodyReason: undefined,
    assignTime: now,
    assignerName: scope.name,
  }
  const reason = `${assignment.replaces ? '改派' : '指派'}给${person.name}`
  await updateAll(tx, workTask, scope, allowed, patch, { reason })
  await setReminders(c, allowed)
  return bulkResultOf(ids, found, refused)
}
