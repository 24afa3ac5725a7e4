import { everyone, type Call, type Permission } from '#kit/contract/call.ts'
import type { ListQuery, Page } from '#kit/contract/shape.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { ReadContext } from '#kit/server/handler.ts'
import { listQueue } from '#kit/server/list-queue.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { WorkQueue } from '#kit/server/work-queue.ts'
import { taskState, workKind, type WorkKind } from '../contract/choices.ts'
import { listAllTasks } from '../contract/overview.ts'
import type { WorkTask } from '../contract/task.ts'
import { menu, paths as ownPaths } from '../module.ts'
import { registeredKinds, requireWorkKind } from './kinds.ts'
import { findWorker } from './worker.ts'

/** The list of a kind's tasks, and the own ones on the phone. */
export interface KindPaths {
  readonly tasks: string
  readonly phone: string
}

interface KindQueuesOptions {
  /** `保洁`: 保洁任务待重派. */
  readonly noun: string
  readonly list: Call<{ readonly awaitsAgain?: boolean } & ListQuery, Page<WorkTask>>
  readonly arrange: Permission
  readonly execute: Permission
  readonly paths: KindPaths
}

interface Waiting {
  readonly count: number
  readonly since?: Moment
}

/** What the caller has still to do of a kind, by today; its index: `work_task_own`. */
async function countOwn(kind: WorkKind, { db, scope, now, today }: ReadContext): Promise<Waiting> {
  const worker = await findWorker(db, scope)
  if (!worker) return { count: 0 }
  const found = await db.one<Waiting>(sql`
    select count(*)::int as count, min(t.begin_time) as since
    from work_task t
    where t.owner_id = ${scope.ownerId}
      and t.kind = ${code(workKind, kind)}
      and t.state in ${codes(taskState, 'waiting', 'running')}
      and ${notDeleted('t')}
      and t.task_date <= ${today}
      and t.close_time > ${now}::timestamptz
      and (t.staff_id = ${worker.id} or (t.staff_id is null and ${String(worker.id)} = any(t.candidate_ids)))
  `)
  return found ?? { count: 0 }
}

/** The own tasks of a kind, in the queue of each person who does such tasks. */
export const ownTasksQueue = (
  kind: WorkKind,
  { noun, execute, path }: { readonly noun: string; readonly execute: Permission; readonly path: string },
): WorkQueue => ({
  key: `planned-work.own.${kind}`,
  needs: execute,
  entities: ['workTask'],
  load: async context => {
    const { count, since } = await countOwn(kind, context)
    if (!count) return undefined
    return {
      title: `我今天的${noun}任务`,
      tone: 'todo',
      count,
      actionLabel: '执行',
      path,
      ...(since === undefined ? {} : { since }),
    }
  },
})

const overviewRight = menu.overview.permissions.view

/** The kinds whose missed tasks the caller gives to somebody again. */
const arrangedKinds = (scope: Scope): readonly WorkKind[] =>
  registeredKinds().filter(kind => {
    const { viewNeeds, arrangeNeeds } = requireWorkKind(kind)
    return hasPermission(scope, viewNeeds) && hasPermission(scope, arrangeNeeds)
  })

/** A user who arranges several kinds has one row for all: several would push other work off the workbench. */
const hasOneRow = (scope: Scope): boolean =>
  hasPermission(scope, overviewRight) && arrangedKinds(scope).length > 1

const againRow = { tone: 'bad', view: 'again', actionLabel: '重派' } as const

/** Missed tasks of a kind, for those who arrange this kind alone. */
export const againQueue = (queue: Parameters<typeof listQueue<{ awaitsAgain?: boolean }, WorkTask>>[0]) => {
  const ofKind = listQueue(queue)
  return {
    ...ofKind,
    load: async (context: ReadContext) => (hasOneRow(context.scope) ? undefined : ofKind.load(context)),
  }
}

/** Missed tasks of every kind that the caller arranges. */
export const allAgainQueue: WorkQueue = {
  key: 'planned-work.again',
  // To arrange several kinds is no right of its own.
  needs: everyone,
  entities: ['workTask'],
  load: async context => {
    if (!hasOneRow(context.scope)) return undefined
    const ofKinds = listQueue({
      ...againRow,
      key: 'planned-work.again',
      title: '任务待重派',
      needs: overviewRight,
      list: listAllTasks,
      filter: { awaitsAgain: true, kinds: arrangedKinds(context.scope) },
      path: ownPaths.allTasks,
      since: 'endTime',
    })
    return ofKinds.load(context)
  },
}

/** What waits of a kind: missed tasks for those who give them to somebody again, own ones for each person. */
export const kindQueues = (
  kind: WorkKind,
  { noun, list, arrange, execute, paths }: KindQueuesOptions,
): readonly WorkQueue[] => [
  againQueue({
    ...againRow,
    key: `planned-work.again.${kind}`,
    title: `${noun}任务待重派`,
    needs: arrange,
    list,
    filter: { awaitsAgain: true },
    path: paths.tasks,
    since: 'endTime',
  }),
  ownTasksQueue(kind, { noun, execute, path: paths.phone }),
]
