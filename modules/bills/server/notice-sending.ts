import { asId, parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant, addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { defineCron, defineJob } from '#kit/server/jobs.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { bill } from '../contract/bill.ts'
import { feeNotice, type FeeNotice } from '../contract/notice.ts'
import { quietHoursEnd } from '../domain/reminder.ts'
import { computeLateFees } from './late-fee.ts'
import { type DemandLetter } from './demand-letter-pdf.ts'
import { findNoticeLetters } from './demand-letters.ts'
import { sendNotice, type SendOutcome } from './notice-channels.ts'
import { followMessages } from './notice-reports.ts'
import { findOtherDebts } from './other-debts.ts'
import { buildReminder, countReminders } from './reminder-notices.ts'
import { findReminderRules } from './reminder-settings.ts'
import { reminderChannel, reminderState } from '../contract/choices.ts'

interface ClaimedNotice {
  readonly id: Id
  readonly projectCode: string
  readonly payerMobile?: string
  readonly sourceName: string
  readonly billIds: readonly string[]
  readonly channel: number
  readonly residentId?: Id
  readonly openId?: string
  readonly email?: string
}

/** Letters are queued too, for the person who prints them. */
const messages = codes(reminderChannel, 'sms', 'wechat', 'email', 'app')
const batchSize = 50
/** A notice that has been "sending" for so long lost its sender. */
const sendingMinutes = 10

interface NoticeOutcome extends SendOutcome {
  readonly id: Id
  /** What was sent; the notice as it was queued keeps its content otherwise. */
  readonly sent?: Pick<FeeNotice, 'content' | 'totalAmount' | 'level' | 'billIds'>
}

/** How the payer of notice `n` is reached today, where that is a resident. */
const contactOfPayer = (ownerId: Id, column: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select ${column}
  from resident r
  where r.owner_id = ${ownerId}
    and r.id = n.payer_id
    and n.payer_kind = ${code(payerSide, 'resident')}
    and ${notDeleted('r')}
)`

/** Marks the next queued notices as being sent, so that no other process sends them too. */
const claimNotices = (
  app: App,
  ownerId: Id,
  ids: readonly Id[] | undefined,
  afterId: Id,
  now: Moment,
): Promise<ClaimedNotice[]> =>
  app.database.tx(ownerId, tx =>
    tx.rows<ClaimedNotice>(sql`
      update fee_notice n
      set state = ${code(reminderState, 'sending')}, update_time = ${now}::timestamptz
      where n.owner_id = ${ownerId}
        and n.id = any(array(
          select q.id
          from fee_notice q
          where q.owner_id = ${ownerId}
            and q.state = ${code(reminderState, 'queued')}
            and q.channel in ${messages}
            and ${notDeleted('q')}
            and q.id > ${afterId} ${ids ? sql`and q.id = any(${[...ids]})` : sql``}
          order by q.id
          limit ${batchSize}
          for update skip locked
        ))
      returning n.id, n.project_code, n.payer_mobile, n.source_name, n.bill_ids,
        n.channel, ${contactOfPayer(ownerId, sql`r.id`)} as resident_id,
        ${contactOfPayer(ownerId, sql`r.run_wechat`)} as open_id,
        ${contactOfPayer(ownerId, sql`r.email`)} as email
    `),
  )

/** The letters that go with those notices that are sent by e-mail, about what they ask for (URG-3). */
async function findMailedLetters(
  db: Db,
  scope: Scope,
  claimed: readonly ClaimedNotice[],
  today: Day,
): Promise<ReadonlyMap<Id, DemandLetter>> {
  const mailed = claimed.filter(n => keyOf(reminderChannel, n.channel) === 'email')
  if (!mailed.length) return new Map()
  const notices = await findByIds(
    db,
    feeNotice,
    scope,
    mailed.map(n => n.id),
  )
  const letters = await findNoticeLetters(db, scope, notices, today, b => !b.disputed)
  return new Map(letters.map(({ noticeId, letter }) => [noticeId, letter]))
}

/**
 * Sends claimed notices for what is owed now, worded for today (URG-3): bills that were paid, abolished or
 * disputed since are left out. In quiet hours a notice goes back to the queue.
 */
async function sendClaimed(
  app: App,
  ownerId: Id,
  claimed: readonly ClaimedNotice[],
  now: Moment,
): Promise<NoticeOutcome[]> {
  const db = app.database.reader(ownerId)
  const scope = clockScope(app, ownerId)
  const today = dayOfMoment(now)
  const rulesByProject = await findReminderRules(
    db,
    ownerId,
    claimed.map(n => n.projectCode),
  )
  const found = await findByIds(
    db,
    bill,
    scope,
    claimed.flatMap(n => n.billIds),
  )
  const open = found.filter(b => b.state === 'normal' && b.payState === 'unpaid' && !b.disputed)
  const billById = new Map(open.map(b => [b.id, b]))
  const late = await computeLateFees(db, ownerId, open, today)
  const outcomes: NoticeOutcome[] = []
  const billsOf = (notice: ClaimedNotice) => notice.billIds.flatMap(id => billById.get(parseId(id)) ?? [])
  const others = await findOtherDebts(db, scope, claimed.map(billsOf), today)
  const letters = await findMailedLetters(db, scope, claimed, today)
  for (const [i, notice] of claimed.entries()) {
    const rules = defined(rulesByProject.get(notice.projectCode))
    const bills = billsOf(notice)
    if (quietHoursEnd(now, rules) > now) {
      outcomes.push({ id: notice.id, state: 'queued' })
    } else if (!bills.length) {
      outcomes.push({ id: notice.id, state: 'failed', failReason: '账单已缴清、作废或有争议，未发送' })
    } else {
      const { text: content, total: totalAmount, level } = buildReminder(bills, late, today, rules, others[i])
      const outcome = await sendNotice(app, ownerId, {
        ...notice,
        content,
        totalAmount,
        billCount: bills.length,
        letter: letters.get(notice.id),
      })
      const billIds = bills.map(b => String(b.id))
      outcomes.push({ id: notice.id, ...outcome, sent: { content, totalAmount, level, billIds } })
    }
  }
  return outcomes
}

const toOutcomeRecord = ({ id, state, failReason, sent }: NoticeOutcome): object => ({
  id,
  state: codeOf(reminderState, state),
  why: failReason,
  ...(sent
    ? {
        content: sent.content,
        total: formatYuan(sent.totalAmount),
        level: sent.level,
        bills: sent.billIds,
      }
    : {}),
})

const saveOutcomes = (
  app: App,
  ownerId: Id,
  outcomes: readonly NoticeOutcome[],
  now: Moment,
): Promise<void> =>
  app.database.tx(ownerId, async tx => {
    await tx.execute(sql`
      update fee_notice n
      set state = r.state, fail_reason = r.why,
        send_time = case when r.state = ${code(reminderState, 'sent')} then ${now}::timestamptz end,
        update_time = ${now}::timestamptz, version = n.version + 1,
        content = coalesce(r.content, n.content), total_amount = coalesce(r.total, n.total_amount),
        level = coalesce(r.level, n.level), bill_ids = coalesce(r.bills, n.bill_ids),
        bill_count = coalesce(cardinality(r.bills), n.bill_count)
      from json_to_recordset(${JSON.stringify(outcomes.map(toOutcomeRecord))}::json) as r(
        id bigint, state smallint, why text, content text, total numeric, level smallint, bills text[]
      )
      where n.owner_id = ${ownerId} and n.id = r.id
    `)
    const reached = outcomes
      .filter(({ state }) => state === 'sent')
      .flatMap(({ sent }) => sent?.billIds ?? [])
    const scope = clockScope(app, ownerId)
    await countReminders(tx, scope, reached.map(parseId), now)
    // A report that came while the notice was being sent.
    const done = outcomes.filter(({ state }) => state !== 'queued')
    await followMessages(
      tx,
      scope,
      done.map(({ id }) => id),
    )
  })

/**
 * Sends queued notices of a company, fifty at a time: all, or those of `ids`. Each is claimed before it is
 * sent, so that no message goes out twice; a notice of which the sender died is reported as failed later.
 */
export async function sendQueuedNotices(
  app: App,
  ownerId: Id,
  ids: readonly Id[] | undefined,
  signal?: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  let sent = 0
  let failed = 0
  let afterId: Id = 0
  for (;;) {
    signal?.throwIfAborted()
    const now = fromInstant(app.clock())
    const claimed = await claimNotices(app, ownerId, ids, afterId, now)
    if (!claimed.length) return { sent, failed }
    afterId = asId(Math.max(...claimed.map(n => n.id)))
    const outcomes = await sendClaimed(app, ownerId, claimed, now)
    sent += outcomes.filter(o => o.state === 'sent').length
    failed += outcomes.filter(o => o.state !== 'sent' && o.state !== 'queued').length
    await saveOutcomes(app, ownerId, outcomes, now)
  }
}

export const sendNoticesJob = defineJob<{ ids: Id[] }>({
  kind: 'bills.urge',
  type: 50,
  run: async ({ ids }, c) => {
    const { sent, failed } = await sendQueuedNotices(c.app, c.scope.ownerId, ids, c.signal)
    return {
      success: sent,
      fail: failed,
      message: `发送成功 ${sent} 条${failed ? `，失败 ${failed} 条` : ''}`,
    }
  },
})

/** Reports notices as failed that have been "sending" for ten minutes. */
const failInterrupted = (app: App, ownerId: Id, now: Moment): Promise<number> =>
  app.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update fee_notice
        set state = ${code(reminderState, 'failed')}, fail_reason = '发送中断，请核对后重发',
          update_time = ${now}::timestamptz
        where owner_id = ${ownerId}
          and state = ${code(reminderState, 'sending')}
          and ${notDeleted()}
          and update_time < ${addMinutes(now, -sendingMinutes)}::timestamptz
      `,
    ),
  )

/** Sends what waited for the end of quiet hours, one company after the other. */
export const sendNoticesCron = defineCron({
  name: 'bills-urge',
  schedule: '*/10 * * * *',
  run: async (app, signal) => {
    const due = await listDueCompanies(
      app.database,
      sql`
        select distinct owner_id
        from fee_notice
        where state in ${codes(reminderState, 'queued', 'sending')} and channel in ${messages} and ${notDeleted()}
      `,
    )
    await forEachCompany(
      due,
      async ownerId => {
        await failInterrupted(app, ownerId, fromInstant(app.clock()))
        await sendQueuedNotices(app, ownerId, undefined, signal)
      },
      signal,
    )
  },
})
