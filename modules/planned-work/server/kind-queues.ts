import type { Call, Permission } from '#kit/contract/call.ts'
import type { ListQuery, Page } from '#kit/contract/shape.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { ReadContext } from '#kit/server/handler.ts'
import { listQueue } from '#kit/server/list-queue.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { WorkQueue } from '#kit/server/work-queue.ts'
import { taskState, workKind, type WorkKind } from '../contract/choices.ts'
import type { WorkTask } from '../contract/task.ts'
import { findWorker } from './worker.ts'

/** The list of a kind's tasks, and the own ones on the telephone. */
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

/** What waits of a kind: missed tasks for those who give them to somebody again, own ones for each person. */
export const kindQueues = (
  kind: WorkKind,
  { noun, list, arrange, execute, paths }: KindQueuesOptions,
): readonly WorkQueue[] => [
  listQueue({
    key: `planned-work.again.${kind}`,
    title: `${noun}任务待重派`,
    tone: 'bad',
    needs: arrange,
    list,
    filter: { awaitsAgain: true },
    path: paths.tasks,
    view: 'again',
    actionLabel: '重派',
    since: task => task.endTime,
  }),
  ownTasksQueue(kind, { noun, execute, path: paths.phone }),
]
