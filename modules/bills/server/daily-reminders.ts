import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { forEachCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope } from '#kit/server/scope.ts'
import { findByIds, findAll } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { code } from '#kit/server/sql.ts'
import { getSettingValue } from '#modules/estates/server/public.ts'
import { bill } from '../contract/bill.ts'
import { judgeReminders } from './reminder-candidates.ts'
import { createReminders } from './reminder-notices.ts'
import { autoReminderSetting, findReminderRules } from './reminder-settings.ts'
import { billState, payState } from '../contract/choices.ts'

/**
 * Queues the automatic reminders of one project for a day (URG-5): three days before the due date, on it, the
 * day after it, and on the first day of each level. Returns how many messages.
 */
export async function queueDailyReminders(
  app: App,
  ownerId: Id,
  project: string,
  now: Moment,
): Promise<number> {
  const db = app.database.reader(ownerId)
  const rules = defined((await findReminderRules(db, ownerId, [project])).get(project))
  const today = dayOfMoment(now)
  const dueDates = [...new Set([...rules.remind, ...rules.levels])].map(days => addDays(today, -days))
  const scope = clockScope(app, ownerId)
  const due = await findAll(
    db,
    bill,
    scope,
    { projectCode: project, order: 'id' },
    {
      where: [
        sql`t.state = ${code(billState, 'normal')}
          and t.pay_state = ${code(payState, 'unpaid')}
          and t.due_date = any(${dueDates}::date[])`,
      ],
      limit: 200_000,
    },
  )
  let queued = 0
  for (let i = 0; i < due.length; i += 5000) {
    queued += await app.database.tx(ownerId, async tx => {
      const reloaded = await findByIds(
        tx,
        bill,
        scope,
        due.slice(i, i + 5000).map(b => b.id),
        { lock: true },
      )
      const sendable = (await judgeReminders(tx, scope, reloaded, 'sms', now, 'auto')).filter(
        candidate => candidate.refusal === undefined,
      )
      return sendable.length ? (await createReminders(tx, scope, sendable, 'sms', now)).ids.length : 0
    })
  }
  return queued
}

export const dailyReminderCron = defineCron({
  name: 'bills-remind',
  schedule: '0 9 * * *',
  run: async (app, signal) => {
    const due = await app.database.reader('*').rows<{ ownerId: Id; project: string }>(
      sql`
          select owner_id, project_code as project
          from estate_setting
          where key = ${autoReminderSetting.key} and value = '1'
          order by owner_id, project_code
        `,
    )
    const dueByOwner = Map.groupBy(due, row => row.ownerId)
    await forEachCompany(
      dueByOwner.keys(),
      async ownerId => {
        for (const { project } of dueByOwner.get(ownerId) ?? []) {
          signal.throwIfAborted()
          const setting = await getSettingValue(
            app.database.reader(ownerId),
            ownerId,
            project,
            autoReminderSetting,
          )
          if (setting === '1') {
            await queueDailyReminders(app, ownerId, project, fromInstant(app.clock()))
          }
        }
      },
      signal,
    )
  },
})
