import type { Id } from '#kit/domain/id.ts'
import { addSeconds, dayOfInstant, fromInstant, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { taskState } from '../contract/choices.ts'
import { processInstance, type ProcessTask } from '../contract/instance.ts'
import { administratorOf, superiorOf } from '../domain/people.ts'
import { FlowRefusal, transfer } from '../domain/run.ts'
import type { ApprovalContext } from './kinds.ts'
import { notifyAbout } from './notices.ts'
import { applyStep, openStep } from './requests.ts'
import { tasksOf } from './store.ts'

const isDue = (now: Moment) => sql`
  state = ${code(taskState, 'waiting')} and due_time is not null and due_time <= ${now}::timestamptz
`

/** The first time somebody is reminded, and has as long again; the second the superior decides (APR-6). */
async function handleOverdue(c: ApprovalContext, instanceId: Id, task: ProcessTask): Promise<void> {
  const instance = await requireById(c.tx, processInstance, c.scope, instanceId)
  const { instance: locked, run, edition, people, flow } = await openStep(c, instanceId, instance)
  const overdue = run.tasks.find(({ id, state }) => id === task.id && state === 'waiting')
  if (!overdue || overdue.approverId === undefined || !task.dueTime) return
  const limit = Math.max(3600, secondsBetween(task.startTime, task.dueTime))
  const postpone = sql`
    update process_task
    set due_time = ${addSeconds(c.now, limit)}::timestamptz, remind_time = ${c.now}::timestamptz
    where owner_id = ${c.scope.ownerId} and id = ${task.id}
  `
  const superior = superiorOf(people, overdue.approverId) ?? administratorOf(people)
  const canMove = task.remindTime !== undefined && superior !== undefined && superior !== overdue.approverId
  try {
    if (canMove) {
      const moved = transfer(run, flow, {
        approverId: overdue.approverId,
        to: superior,
        opinion: '超时转交上级',
      })
      await applyStep(c, locked, edition, people, run, moved, { opinion: '超时转交上级' })
      return
    }
  } catch (error) {
    if (!(error instanceof FlowRefusal)) throw error
  }
  await c.tx.execute(postpone)
  await notifyAbout(c, instance, 'waiting', [overdue.approverId], {
    title: `审批已超时：${instance.title}`,
    text: `${instance.applicantName} · ${overdue.nodeName}`,
  })
}

async function handleCompany(tx: Tx, app: App, ownerId: Id): Promise<void> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, ownerId)
  const rows = await tx.rows<{ id: Id; instanceId: Id }>(sql`
    select id, instance_id
    from process_task
    where owner_id = ${ownerId} and ${isDue(now)}
    order by instance_id, id
    limit 200
  `)
  const c: ApprovalContext = { tx, app, scope, now, today: dayOfInstant(app.clock()) }
  for (const { id, instanceId } of rows) {
    const task = (await tasksOf(tx, scope, instanceId)).find(each => each.id === id)
    if (task) {
      await handleOverdue(c, instanceId, task)
    }
  }
}

/** All companies in which a task is overdue. */
export async function sweepTimeouts(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const due = sql<{ ownerId: Id }>`select distinct owner_id from process_task where ${isDue(now)}`
  await forEachDueCompany(app.database, due, (tx, ownerId) => handleCompany(tx, app, ownerId))
}
