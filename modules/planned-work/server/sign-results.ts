import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { recordsetOf, update } from '#kit/server/table.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { workStep, workTask, type WorkStep, type WorkTask } from '../contract/task.ts'
import { judgeSteps, scoreOf, stateOf } from '../domain/result.ts'

/** The steps of a task with the result that each has now. */
export function judgedSteps(
  task: WorkTask,
  steps: readonly WorkStep[],
  isClosed: boolean,
): readonly WorkStep[] {
  const results = judgeSteps(steps, task, isClosed)
  return steps.map(step => {
    const result = results.get(step)
    return step.result === result ? step : { ...step, result }
  })
}

/** What a task says of its steps. */
export function figuresOf(task: WorkTask, steps: readonly WorkStep[], isClosed: boolean, now: Moment) {
  const results = steps.map(({ result }) => result)
  const count = (key: WorkStep['result']): number => results.filter(result => result === key).length
  const state = stateOf(results, isClosed)
  const times = steps.flatMap(({ signTime }) => signTime ?? []).toSorted()
  const isOver = state === 'done' || isClosed
  return {
    state,
    stepDone: times.length,
    normalCount: count('normal'),
    earlyCount: count('early'),
    lateCount: count('late'),
    disorderCount: count('disorder'),
    missCount: count('missed'),
    abnormalCount: steps.filter(({ isAbnormal }) => isAbnormal).length,
    score: scoreOf(
      steps.map(({ weight, needs, verdict }) => ({ weight, verdict, isScored: needs?.verdict ?? false })),
    ),
    signTime: times[0],
    finishTime: isOver ? (task.finishTime ?? times.at(-1) ?? now) : undefined,
    remindTime: undefined,
  }
}

const stepKeys = [
  'result',
  'verdict',
  'isAbnormal',
  'abnormal',
  'signTime',
  'signType',
  'staffId',
  'value',
  'items',
  'photos',
  'remark',
  'workOrderId',
  'isOffline',
  'clockOffset',
] as const

const emptyStep = Object.fromEntries(stepKeys.map(key => [key, undefined]))

/** Writes what became of steps in one statement. */
export async function writeSteps(tx: Tx, scope: Scope, steps: readonly WorkStep[]): Promise<void> {
  if (!steps.length) return
  const values = steps.map(step => ({
    ...emptyStep,
    ...Object.fromEntries(stepKeys.map(key => [key, step[key]])),
    // Its own id is passed as the sort beside the task: both are the unique key of a step.
    taskId: step.taskId,
    sort: step.sort,
  }))
  const { columns, as } = recordsetOf(workStep, values)
  const written = columns.filter(column => column !== 'task_id' && column !== 'sort')
  await tx.execute(sql`
    update work_step t
    set ${sql.join(written.map(column => sql`${sql.id(column)} = r.${sql.id(column)}`))},
      version = t.version + 1, update_by = ${scope.operatorId}, update_time = ${scope.time}::timestamptz
    from ${as}
    where t.owner_id = ${scope.ownerId} and t.task_id = r.task_id and t.sort = r.sort
  `)
}

/** Writes the results that changed and what the task says of them (PAT-7). */
export async function writeResults(
  tx: Tx,
  scope: Scope,
  task: WorkTask,
  change: {
    readonly before: readonly WorkStep[]
    readonly after: readonly WorkStep[]
    readonly isClosed: boolean
    readonly now: Moment
    readonly patch?: Partial<WorkTask>
  },
): Promise<WorkTask> {
  const { before, after, isClosed, now, patch } = change
  const judged = judgedSteps(task, after, isClosed)
  await writeSteps(
    tx,
    scope,
    judged.filter((step, i) => step !== before[i]),
  )
  return update(tx, workTask, scope, task.id, { ...figuresOf(task, judged, isClosed, now), ...patch })
}
