import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireMail } from '#kit/server/mail.ts'
import { type Scope } from '#kit/server/scope.ts'
import { findByIds, assertInDomain } from '#kit/server/table.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { reminderChannel, reminderRefusal } from '../contract/choices.ts'
import { checkReminders, supportedChannels, remindBills } from '../contract/reminder.ts'
import { maxReportedRows } from './action-runner.ts'
import { findMissingIds } from './actions.ts'
import { lockBills, selectionCondition } from './bill-lock.ts'
import { judgeReminders, messageChannels, type ReminderChannel } from './reminder-candidates.ts'
import { createReminders, payerKeyOf, type QueuedReminders } from './reminder-notices.ts'

export interface ReminderRequest {
  readonly channel: ReminderChannel
  readonly promiseDate?: Day | undefined
  readonly remark?: string | undefined
}

/** Refuses channels that are not available, and a promise for a day that is over. */
export function assertRequestAllowed({ channel, promiseDate }: ReminderRequest, today: Day): void {
  if (!(supportedChannels as readonly string[]).includes(channel))
    refuse(`${labelOf(reminderChannel, channel)}尚未开通，请用短信、微信或邮件，或登记电话、上门和书面催缴`)
  if (channel === 'email') {
    requireMail()
  }
  if (promiseDate !== undefined && promiseDate < today) refuse('承诺缴费日不能早于今天')
}

/** Reminds of bills that `lockBills` has locked; those that cannot be reminded of are reported as skipped. */
export async function remindLockedBills(
  tx: Tx,
  scope: Scope,
  rows: readonly Bill[],
  missing: readonly Id[],
  { channel, ...fields }: ReminderRequest,
  now: Moment,
): Promise<{ readonly made: QueuedReminders; readonly skipped: BulkResult['rows'] }> {
  for (const r of rows) {
    assertInDomain(bill, scope, r)
  }
  const judged = await judgeReminders(tx, scope, rows, channel, now)
  const allowed = judged.filter(candidate => candidate.refusal === undefined)
  const skipped = [
    ...missing.map(id => ({ id, reason: '账单不存在或已被删除' })),
    ...judged.flatMap(candidate =>
      candidate.refusal
        ? [
            {
              id: candidate.row.id,
              code: `${candidate.row.payerName ?? candidate.row.sourceName} ${candidate.row.billNo}`,
              reason: labelOf(reminderRefusal, candidate.refusal),
            },
          ]
        : [],
    ),
  ]
  return {
    made: allowed.length
      ? await createReminders(tx, scope, allowed, channel, now, fields)
      : { ids: [], bills: 0, payers: 0, sendsAfter: undefined },
    skipped,
  }
}

/** Messages go out at once, except in quiet hours. */
export const shouldSendNow = (queued: QueuedReminders, channel: ReminderChannel): boolean =>
  queued.ids.length > 0 && messageChannels.has(channel) && !queued.sendsAfter

/** In every channel by customers and their bills, however many messages, calls or letters it takes. */
export function reminderResultText(
  { payers, bills }: Pick<QueuedReminders, 'payers' | 'bills'>,
  sendsAfter: string | undefined,
  channel: ReminderChannel,
): string {
  if (!bills) return '没有可以催缴的账单'
  const counts = `${payers} 位客户，${bills} 张账单`
  if (!messageChannels.has(channel)) return `已登记「${labelOf(reminderChannel, channel)}」：${counts}`
  return `已加入发送队列：${counts}${sendsAfter ? `，安静时段过后（${sendsAfter.slice(5, 16)}）发送` : ''}`
}

export const reminderHandlers = [
  reads(checkReminders, async ({ ids, channel }, { db, scope, now }) => {
    if (channel === 'email') {
      requireMail()
    }
    const rows = await findByIds(db, bill, scope, ids)
    return (await judgeReminders(db, scope, rows, channel, now)).map(candidate => {
      const { row, refusal: no, warning, level } = candidate
      return {
        id: row.id,
        billNo: row.billNo,
        payerKey: payerKeyOf(candidate),
        canRemind: no === undefined,
        ...(no ? { refusal: no, words: labelOf(reminderRefusal, no) } : {}),
        ...(warning ? { warning } : {}),
        level,
        count: row.urgeCount,
        ...(row.lastUrgeTime ? { lastTime: row.lastUrgeTime } : {}),
      }
    })
  }),
  writes(remindBills, async ({ ids, ...reminder }, { tx, scope, today, now, app }) => {
    assertRequestAllowed(reminder, today)
    const rows = await lockBills(tx, scope, selectionCondition(scope, { ids }))
    const { made: queued, skipped } = await remindLockedBills(
      tx,
      scope,
      rows,
      findMissingIds(ids, rows),
      reminder,
      now,
    )
    if (shouldSendNow(queued, reminder.channel)) {
      await app.jobs.start(tx, scope, 'bills.urge', `发送催缴 ${queued.ids.length} 条`, { ids: queued.ids })
    }
    return {
      success: queued.bills,
      fail: 0,
      skipped: skipped.length,
      rows: skipped.slice(0, maxReportedRows),
      notices: queued.ids.map(String),
      message: reminderResultText(queued, queued.sendsAfter, reminder.channel),
    }
  }),
]
