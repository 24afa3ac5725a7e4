import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, addSeconds, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { update } from '#kit/server/table.ts'
import { propertySms, type PropertySms } from '../contract/task.ts'
import { taskStateOf } from '../domain/task-state.ts'
import { defineMessageSource } from './message-source.ts'
import { messageFigures } from './queue.ts'

export const massSource = defineMessageSource({
  key: 'messaging.mass',
  label: '短信群发',
  purpose: 'service',
  onOutcomes: async (tx, scope, outcomes) => {
    for (const id of await findStale(tx, scope, [...new Set(outcomes.map(({ bizId }) => bizId))])) {
      await refreshTask(tx, scope, id)
    }
  },
})

/** A task of more messages is not counted with every few of them that end. */
const smallTask = 2000
const refreshSeconds = 5

/** Those of the tasks that are counted now: small ones, and large ones every few seconds. */
const findStale = async (tx: Tx, { ownerId, time }: Scope, ids: readonly Id[]): Promise<Id[]> => {
  const before = addSeconds(fromInstant(Date.parse(time)), -refreshSeconds)
  const rows = await tx.rows<{ id: Id }>(sql`
    select id
    from property_sms
    where owner_id = ${ownerId}
      and id = any(${[...ids]}::bigint[])
      and (number_count <= ${smallTask} or update_time < ${before}::timestamptz)
    order by id
  `)
  return rows.map(({ id }) => id)
}

/** Days in which reports still change what became of a task. */
const reportDays = 4

/** Large tasks whose last messages have ended since they were counted. */
export async function refreshLargeTasks(app: App, signal?: AbortSignal): Promise<void> {
  const since = addDaysToMoment(fromInstant(app.clock()), -reportDays)
  const isLarge = sql`number_count > ${smallTask} and send_time > ${since}::timestamptz and delete_tag = 0`
  const due = await listDueCompanies(
    app.database,
    sql`select distinct owner_id from property_sms where ${isLarge}`,
  )
  await forEachCompany(
    due,
    ownerId =>
      app.database.tx(ownerId, async tx => {
        const tasks = await tx.rows<{ id: Id }>(
          sql`select id from property_sms where owner_id = ${ownerId} and ${isLarge} order by id`,
        )
        for (const { id } of tasks) {
          await refreshTask(tx, clockScope(app, ownerId), id)
        }
      }),
    signal,
  )
}

/** The figures of a task and its state, as its messages are now. */
export async function refreshTask(tx: Tx, scope: Scope, id: Id): Promise<PropertySms> {
  const [figures] = await messageFigures(tx, scope, massSource.key, [id])
  const { queued = 0, sent = 0, failed = 0, refused = 0, unclear = 0, cancelled = 0 } = figures ?? {}
  const state = taskStateOf({ waiting: queued, done: sent, failed, refused, unclear, cancelled })
  const isOver = state !== 'waiting' && state !== 'sending' && state !== 'unclear'
  return update(tx, propertySms, scope, id, {
    successCount: sent,
    failCount: failed,
    unclearCount: unclear,
    refuseCount: refused,
    state,
    endTime: isOver ? fromInstant(Date.parse(scope.time)) : undefined,
  })
}
