import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds, insert, insertAll, requireById, updateAll } from '#kit/server/table.ts'
import { loadAbsences } from '#modules/attendance/server/public.ts'
import { taskState, type WorkKind } from '../contract/choices.ts'
import { workStep, workTask, type WorkTask } from '../contract/task.ts'
import { lockGeneration } from './generate.ts'
import { writeResults } from './sign-results.ts'
import { stepsOfTasks } from './signs.ts'
import { loadAgainTexts } from './task-lists.ts'
import { idsOf, loadStaff } from './work-context.ts'
import { requireWorker } from './worker.ts'

const isOpen = ({ state }: WorkTask): boolean => state === 'waiting' || state === 'running'

/** 10, 20 → 60 with the reason: such tasks leave every rate (PAT-7, PAT-9). Answers record by record. */
export async function disableTasks(
  { tx, scope }: WriteContext,
  kind: WorkKind,
  ids: readonly string[],
  reason: string,
): Promise<BulkResult> {
  const found = (await findByIds(tx, workTask, scope, idsOf(ids), { lock: true })).filter(
    task => task.kind === kind,
  )
  const { allowed, refused } = judgeRecords(
    found,
    task => (isOpen(task) ? undefined : '任务已结束或已停用'),
    task => `${task.planName} ${task.beginTime.slice(0, 16)}`,
  )
  const patch = { state: 'disabled', disableReason: reason, remindTime: undefined } as const
  await updateAll(tx, workTask, scope, allowed, patch, { action: 'state', reason })
  return bulkResultOf(ids, found, refused)
}

/** Who is to do a task: somebody who is there. */
export async function requirePerson({ tx, scope }: WriteContext, staffId: Id) {
  const person = (await loadStaff(tx, scope.ownerId, [staffId])).get(staffId)
  if (!person || person.hasLeft) throw invalidField('StaffID', '人员不存在或已离职，请重新选择')
  return person
}

export interface Appointment {
  readonly id: Id
  readonly staffId: Id
  readonly beginTime: Moment
  readonly endTime: Moment
}

/** Of one plan, object and begin a person has one task at most, and a task is given to somebody once. */
async function assertNew({ tx, scope }: WriteContext, task: WorkTask, asked: Appointment): Promise<void> {
  const again = (await loadAgainTexts(tx, scope, [task.id])).get(task.id)
  if (again !== undefined) refuse(`任务已重派给${again}，不能重复重派`)
  const same = await tx.one(sql`
    select 1
    from work_task
    where owner_id = ${scope.ownerId}
      and plan_id = ${task.planId}
      and target_id = ${task.targetId}
      and task_date = ${dayOfMoment(asked.beginTime)}
      and begin_time = ${asked.beginTime}::timestamptz
      and staff_id = ${asked.staffId}
      and state <> ${code(taskState, 'disabled')}
      and ${notDeleted()}
    limit 1
  `)
  if (same) throw invalidField('StaffID', '此人此时已有同一计划的任务，请另选人员或时间')
}

/** 40 or 50 again: a copy for another person or time, linked to it (PAT-7). */
export async function againAppoint(c: WriteContext, kind: WorkKind, asked: Appointment): Promise<WorkTask> {
  const { tx, scope, now } = c
  const { id, staffId, beginTime, endTime } = asked
  await lockGeneration(tx, scope)
  const task = await requireById(tx, workTask, scope, id, { lock: true })
  if (task.kind !== kind) refuse('任务不存在或已被删除')
  if (task.state !== 'partial' && task.state !== 'missed') refuse('只有部分完成或未执行的任务可以重派')
  if (endTime <= beginTime) throw invalidField('EndTime', '结束时间应晚于开始时间')
  if (endTime <= now) throw invalidField('EndTime', '结束时间已过，请重新选择')
  const person = await requirePerson(c, staffId)
  const span = { from: dayOfMoment(beginTime), to: dayOfMoment(endTime) }
  const absence = (await loadAbsences(tx, scope.ownerId, [staffId], span))(staffId, beginTime, endTime)
  if (absence !== undefined) throw invalidField('StaffID', `${person.name}${absence}，请另选人员或时间`)
  await assertNew(c, task, asked)
  const grace = secondsBetween(task.endTime, task.closeTime) / 60
  const shift = secondsBetween(task.beginTime, beginTime) / 60
  const copied = await insert(tx, workTask, scope, {
    ...copyOf(task),
    staffId,
    slot: staffId,
    taskDate: dayOfMoment(beginTime),
    beginTime,
    endTime,
    closeTime: addMinutes(endTime, grace),
    fromTaskId: task.id,
  })
  const steps = await stepsOfTasks(tx, scope, [task.id])
  await insertAll(
    tx,
    workStep,
    scope,
    steps.map(({ projectCode, sort, subjectId, stepName, dueTime, tolerance, weight, needs }) => ({
      projectCode,
      kind,
      taskId: copied.id,
      taskDate: copied.taskDate,
      sort,
      subjectId,
      stepName,
      dueTime: tolerance === undefined ? endTime : addMinutes(dueTime, shift),
      tolerance,
      weight,
      needs,
      isAbnormal: false,
      isOffline: false,
    })),
  )
  return copied
}

/** What of a task its copy has as well: nothing of what was done. */
const copyOf = (task: WorkTask) => ({
  projectCode: task.projectCode,
  kind: task.kind,
  planId: task.planId,
  planName: task.planName,
  subjectId: task.subjectId,
  targetId: task.targetId,
  targetName: task.targetName,
  inOrder: task.inOrder,
  stepTotal: task.stepTotal,
  stepDone: 0,
  normalCount: 0,
  earlyCount: 0,
  lateCount: 0,
  disorderCount: 0,
  missCount: 0,
  abnormalCount: 0,
  state: 'waiting' as const,
})

/** Ends a task before its time: what is not signed is missed. Only by the person who does it. */
export async function finishTask(c: WriteContext, id: Id): Promise<WorkTask> {
  const { tx, scope, now } = c
  const worker = await requireWorker(tx, scope)
  const task = await requireById(tx, workTask, scope, id, { lock: true })
  if (task.staffId !== worker.id) refuse('只有执行人可以结束任务')
  if (task.state !== 'running') refuse(task.state === 'waiting' ? '任务未开始，请先签到' : '任务已结束')
  const steps = await stepsOfTasks(tx, scope, [id])
  return writeResults(tx, scope, task, { before: steps, after: steps, isClosed: true, now })
}
