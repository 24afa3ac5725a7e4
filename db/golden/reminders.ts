import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { judgeReminders, type ReminderChannel } from '#modules/bills/server/reminder-candidates.ts'
import { createReminders } from '#modules/bills/server/reminder-notices.ts'
import { code } from '#kit/server/sql.ts'
import { billState, payState, reminderChannel, reminderState } from '#modules/bills/contract/choices.ts'
import { untilSeeding } from './seed-day.ts'

const reminderPlan: readonly (readonly [
  ReminderChannel,
  number,
  { readonly promise?: number; readonly remark?: string },
])[] = [
  ['sms', 0, {}],
  ['sms', 1, {}],
  ['sms', 2, {}],
  ['phone', 3, { promise: 6, remark: '月底发工资后缴' }],
  ['phone', 4, { remark: '无人接听' }],
  ['visit', 5, { promise: 3, remark: '家中有人，答应本周缴' }],
  ['letter', 6, {}],
  ['letter', 7, {}],
]

/**
 * What was already asked of those who owe longest: messages, calls, a visit, letters; one message that did
 * not get through.
 */
export async function seedReminders(
  database: Database,
  scope: Scope,
  project: string,
  today: Day,
): Promise<void> {
  const now = untilSeeding(scope, `${today} 10:00:00`)
  await database.tx(scope.ownerId, async tx => {
    const late = await findAll(
      tx,
      bill,
      scope,
      { projectCode: project, order: 'dueDate' },
      {
        where: [
          sql`t.state = ${code(billState, 'normal')}
            and t.pay_state = ${code(payState, 'unpaid')}
            and t.due_date < ${addDays(today, -20)}
            and t.payer_mobile is not null`,
        ],
        limit: 400,
      },
    )
    const homes = [...Map.groupBy(late, b => b.sourceCode).values()]
    for (const [channel, n, { promise, remark }] of reminderPlan) {
      const ownReminders = (await judgeReminders(tx, scope, homes[n] ?? [], channel, now)).filter(
        j => j.refusal === undefined,
      )
      if (ownReminders.length) {
        await createReminders(tx, scope, ownReminders, channel, now, {
          ...(promise ? { promiseDate: addDays(today, promise) } : {}),
          remark,
        })
      }
    }
    await tx.execute(
      sql`
        update fee_notice
        set state = ${code(reminderState, 'sent')}, send_time = ${now}::timestamptz
        where owner_id = ${scope.ownerId} and state = ${code(reminderState, 'queued')}
      `,
    )
    await tx.execute(
      sql`
        update fee_notice
        set state = ${code(reminderState, 'failed')}, send_time = null, fail_reason = '运营商网络异常'
        where id = (
          select max(id)
          from fee_notice
          where owner_id = ${scope.ownerId} and channel = ${code(reminderChannel, 'sms')}
        )
      `,
    )
  })
}
