import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { codes } from '#kit/server/sql.ts'
import { taskState } from '../contract/choices.ts'
import { endTask } from './task-end.ts'

const batchSize = 200

interface OverdueTask {
  readonly id: Id
  readonly isCancelling: boolean
  readonly hasArrived: boolean
}

const reasonOf = ({ isCancelling, hasArrived }: OverdueTask): string => {
  if (isCancelling) return '已取消，现场未确认是否执行'
  return hasArrived ? '设备已接收，未在规定时间内返回结果' : '设备未响应'
}

/**
 * RMT-1: ends what was not answered in time, also what ran out while no server was there. Every process
 * looks; rows that another one is ending are left to it.
 */
export async function sweepTimeouts(app: App): Promise<void> {
  const isOverdue = sql`
    state in ${codes(taskState, 'sent', 'received')} and deadline < ${new Date(app.clock())}
  `
  const due = sql<{ ownerId: Id }>`select distinct owner_id from remote_task where ${isOverdue}`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const overdue = await tx.rows<OverdueTask>(sql`
      select id, is_cancelling, receive_time is not null as has_arrived
      from remote_task
      where owner_id = ${ownerId} and ${isOverdue}
      order by id
      limit ${batchSize}
      for update skip locked
    `)
    for (const task of overdue) {
      const state = task.isCancelling ? 'failed' : 'timedOut'
      await endTask(tx, app, ownerId, task.id, { state, reason: reasonOf(task) })
    }
  })
}
