import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { code } from '#kit/server/sql.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { taskState, workKind } from '../contract/choices.ts'
import { findWorkKind } from './kinds.ts'

const reminder = defineNotificationKind({
  key: 'planned-work.due',
  label: '我的任务即将开始',
  group: 'notice',
})

interface DueTask {
  readonly id: Id
  readonly kindCode: number
  readonly planName: string
  readonly projectCode: string
  readonly beginTime: Moment
  readonly targetName?: string
  readonly staffIds: readonly Id[]
}

async function remindCompany(app: App, tx: Tx, ownerId: Id, now: Moment): Promise<void> {
  const tasks = await tx.rows<DueTask>(sql`
    update work_task
    set remind_time = null
    where owner_id = ${ownerId} and remind_time <= ${now}::timestamptz and state = ${code(taskState, 'waiting')}
    returning id, kind as kind_code, plan_name, project_code, begin_time, target_name,
      case when staff_id is null then candidate_ids::bigint[] else array[staff_id] end as staff_ids
  `)
  if (!tasks.length) return
  const accounts = await tx.rows<{ id: Id; managerId: Id }>(sql`
    select id, manager_id
    from staff
    where owner_id = ${ownerId}
      and id = any(${[...new Set(tasks.flatMap(task => task.staffIds ?? []))]}::bigint[])
      and manager_id is not null
  `)
  const accountOf = new Map(accounts.map(row => [row.id, row.managerId]))
  for (const task of tasks) {
    const kind = keyOf(workKind, task.kindCode)
    const rules = kind && findWorkKind(kind)
    const to = (task.staffIds ?? []).flatMap(id => accountOf.get(id) ?? [])
    if (!to.length) continue
    await notify(tx, app, ownerId, {
      kind: reminder,
      to,
      title: `${task.beginTime.slice(11, 16)} 开始：${task.planName}`,
      text: task.targetName,
      ...(rules && { link: rules.link({ id: task.id }) }),
      bizId: task.id,
      project: task.projectCode,
    })
  }
}

/** Every minute: who has a task soon hears of it once. */
export async function remindDue(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const due = sql<{ ownerId: Id }>`
    select distinct owner_id from work_task where remind_time <= ${now}::timestamptz
  `
  await forEachDueCompany(app.database, due, (tx, ownerId) => remindCompany(app, tx, ownerId, now))
}
