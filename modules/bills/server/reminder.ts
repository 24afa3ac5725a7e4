import { codeOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasBuilding, type Scope } from '#kit/server/scope.ts'
import { findByIds, assertInDomain, insertAll } from '#kit/server/table.ts'
import { live, touch, code, codes } from '#kit/server/sql.ts'
import { toPayer } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { reminderChannel, reminderRefusal, reminderState } from '../contract/choices.ts'
import { feeNotice } from '../contract/notice.ts'
import { checkReminders, supportedChannels, remindBills } from '../contract/reminder.ts'
import { unpaid } from '../domain/bill.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import {
  buildReminders,
  reminderLevelOf,
  quietHoursEnd,
  findReminderRefusal,
  type Reminder,
  type ReminderRefusal,
  type ReminderRules,
  type PastReminder,
} from '../domain/reminder.ts'
import { maxReportedRows, type BulkResult } from './action-runner.ts'
import { findMissingIds } from './actions.ts'
import { findPayerContacts } from './issue.ts'
import { computeLateFees } from './late-fee.ts'
import { toBill } from './stored-bill.ts'
import { findReminderRules } from './reminder-settings.ts'
import { lockBills, selectionCondition } from './bill-lock.ts'

export type ReminderChannel = ChoiceOf<typeof reminderChannel>

/** Messages, which must not come too often; what people do themselves is only written down. */
const messageChannels: ReadonlySet<ReminderChannel> = new Set(['sms', 'wechat', 'app'])

export interface ReminderCandidate {
  readonly row: Bill
  readonly refusal: ReminderRefusal | undefined
  readonly level: number
  readonly mobile: string | undefined
  readonly rules: ReminderRules
}

const payerOf = (b: Bill): number | undefined => toPayer(b.payerKind, b.payerId)

/**
 * What URG-1 asks of each bill: its payer's telephone as it is now, how often he was written to, whether he
 * wants to be.
 */
export async function judgeReminders(
  db: Db,
  scope: Scope,
  rows: readonly Bill[],
  channel: ReminderChannel,
  now: string,
  mode: 'auto' | 'manual' = 'manual',
): Promise<ReminderCandidate[]> {
  const owner = scope.ownerId
  const rules = await findReminderRules(
    db,
    owner,
    rows.map(r => r.projectCode),
  )
  const contacts = await findPayerContacts(db, owner, rows.map(payerOf))
  const sources = [...new Set(rows.map(r => r.sourceCode))]
  const sentReminders =
    messageChannels.has(channel) && sources.length
      ? await db.rows<{
          projectCode: string
          sourceCode: string
          payerKind?: number
          payerId?: number
          level: number
          day: string
        }>(sql`
          select project_code, source_code, payer_kind, payer_id, level,
            (create_time at time zone 'Asia/Shanghai')::date as day
          from fee_notice
          where owner_id = ${owner}
            and (
              source_code = any(${sources})
              or payer_id = any(${[...new Set(rows.flatMap(r => r.payerId ?? []))]})
            )
            and ${live()}
            and channel in ${codes(reminderChannel, 'sms', 'wechat', 'app')}
            and state in ${codes(reminderState, 'queued', 'sending', 'sent')}
            and create_time > ${now}::timestamptz - interval '90 days'
        `)
      : []
  const refusedAtByPayer = new Map(
    (messageChannels.has(channel) && sources.length
      ? await db.rows<{ key: string; last: string }>(
          sql`
            select payer_kind || '/' || payer_id as key, max(create_time) as last
            from fee_notice
            where owner_id = ${owner}
              and payer_id = any(${rows.flatMap(r => r.payerId ?? [])})
              and channel = ${codeOf(reminderChannel, channel)}
              and state = ${code(reminderState, 'refused')}
              and ${live()}
            group by 1
          `,
        )
      : []
    ).map(r => [r.key, r.last] as const),
  )
  // A payer is written to as one; who is not registered, about the object alone.
  const recipientKeyOf = (
    p: { readonly projectCode: string; readonly sourceCode: string; readonly payerId?: number | undefined },
    kind: number,
  ): string => [p.projectCode, kind, p.payerId ?? `at ${p.sourceCode}`].join('\n')
  const byPayer = Map.groupBy(sentReminders, p => recipientKeyOf(p, p.payerKind ?? 0))
  return rows.map(row => {
    const payer = payerOf(row)
    const contact = payer === undefined ? undefined : contacts.get(payer)
    const mobile = contact?.mobile ?? row.payerMobile
    const refusedAt = refusedAtByPayer.get(
      `${row.payerKind === 'company' ? 2 : row.payerKind === 'resident' ? 1 : 0}/${row.payerId ?? 0}`,
    )
    const r = rules.get(row.projectCode)!
    const kind = row.payerKind === 'company' ? 2 : row.payerKind === 'resident' ? 1 : 0
    // Who has bound his WeChat anew wants to hear again.
    const optedOut =
      refusedAt !== undefined &&
      !(channel === 'wechat' && contact?.openSince !== undefined && contact.openSince > refusedAt)
    const hasContact =
      channel === 'wechat'
        ? contact?.openId !== undefined
        : channel === 'sms'
          ? /^1[3-9]\d{9}$/.test(mobile ?? '')
          : channel === 'phone'
            ? mobile !== undefined
            : !messageChannels.has(channel)
    const pastReminders = (byPayer.get(recipientKeyOf(row, kind)) ?? []).map((u): PastReminder => ({
      level: u.level,
      day: u.day,
    }))
    const refusal = findReminderRefusal(
      toBill(row),
      { hasContact, optedOut, disputed: row.disputed, promisedFor: row.promiseDate },
      pastReminders,
      now,
      mode,
      r,
    )
    return { row, refusal, level: reminderLevelOf(row.dueDate, dayOfMoment(now), r), mobile, rules: r }
  })
}

export interface QueuedReminders {
  readonly ids: number[]
  readonly bills: number
  readonly sendsAfter: string | undefined
}

/** What a message or a letter asks for on a day: bills with their late fees reckoned on the spot. */
export const buildReminder = (
  list: readonly Bill[],
  late: ReadonlyMap<number, Fen>,
  today: Day,
  rules: ReminderRules,
): Reminder =>
  buildReminders(
    list.map(b => ({
      billId: b.id,
      object: b.sourceName,
      payer: 0,
      item: b.feeItemName,
      period: formatPeriod(b.beginDate, b.endDate),
      dueDate: b.dueDate,
      unpaid: unpaid({ ...toBill(b), lateDue: late.get(b.id) ?? b.lateFeeDue }),
    })),
    today,
    rules,
  )[0]!

/** The objects of a demand as its list shows them. */
const sourceNamesText = (list: readonly Bill[]): string => {
  const all = [...new Set(list.map(b => b.sourceName))]
  const text = all.join('、')
  return text.length <= 100 ? text : `${text.slice(0, 88)}… 等 ${all.length} 处`
}

/**
 * Whom a demand goes to: a message to each payer over all he owes in an estate (URG-4); what is carried to a
 * door, to each object. Who is not registered is known by his telephone. Who has only some buildings gets one
 * for each: what has none would be hidden from him.
 */
const recipientKey = (candidate: ReminderCandidate, message: boolean, scope: Scope): string => {
  const payer = payerOf(candidate.row)
  const at = `${candidate.row.sourceType}\n${candidate.row.sourceCode}`
  return [
    candidate.row.projectCode,
    hasBuilding(scope.domain, candidate.row.projectCode, '') ? '' : candidate.row.buildCode,
    ...(payer === undefined ? [at, candidate.mobile] : message ? [payer] : [at, payer]),
  ].join('\n')
}

/** Writes the demands of bills that may be urged. Messages are queued, deeds of people stand as done. */
export async function createReminders(
  tx: Tx,
  scope: Scope,
  list: readonly ReminderCandidate[],
  channel: ReminderChannel,
  now: string,
  more: { readonly promiseDate?: string | undefined; readonly remark?: string | undefined } = {},
): Promise<QueuedReminders> {
  const today = dayOfMoment(now)
  const late = await computeLateFees(
    tx,
    scope.ownerId,
    list.map(candidate => candidate.row),
    today,
  )
  const isRecorded = !messageChannels.has(channel)
  const values = [
    ...Map.groupBy(list, candidate => recipientKey(candidate, !isRecorded, scope)).values(),
  ].map(group => {
    const groupBills = group.map(candidate => candidate.row)
    const reminder = buildReminder(groupBills, late, today, group[0]!.rules)
    const b = groupBills[0]!
    return {
      projectCode: b.projectCode,
      sourceType: b.sourceType,
      sourceCode: b.sourceCode,
      sourceName: sourceNamesText(groupBills),
      buildCode: groupBills.every(x => x.buildCode === b.buildCode) ? b.buildCode : undefined,
      payerKind: b.payerKind,
      payerId: b.payerId,
      payerName: b.payerName,
      payerMobile: group[0]!.mobile,
      billIds: groupBills.map(x => String(x.id)),
      billCount: group.length,
      totalAmount: reminder.total,
      channel,
      level: reminder.level,
      content: reminder.text,
      promiseDate: more.promiseDate,
      remark: more.remark,
      ...(isRecorded ? { sendTime: now, state: 'sent' } : { state: 'queued' }),
    }
  })
  const ids = await insertAll(tx, feeNotice, scope, values)
  await tx.execute(
    sql`
      update bill
      set last_urge_time = ${now}::timestamptz, urge_count = urge_count + 1,
        ${more.promiseDate ? sql`promise_date = ${more.promiseDate},` : sql``} ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${list.map(candidate => candidate.row.id)})
    `,
  )
  const until = list.map(candidate => quietHoursEnd(now, candidate.rules)).find(m => m > now)
  return { ids, bills: list.length, sendsAfter: isRecorded ? undefined : until }
}

export interface ReminderRequest {
  readonly channel: ReminderChannel
  readonly promiseDate?: Day | undefined
  readonly remark?: string | undefined
}

/** Refuses what this house cannot do, and a promise for a day that is over. */
export function assertRequestAllowed({ channel, promiseDate }: ReminderRequest, today: Day): void {
  if (!(supportedChannels as readonly string[]).includes(channel))
    refuse(`${labelOf(reminderChannel, channel)}还没有开通，请用短信或微信，或登记电话、上门和书面催缴`)
  if (promiseDate !== undefined && promiseDate < today) refuse('承诺缴费日不能早于今天')
}

/** Bills that `locked` locked: those that may be urged are, the others are told with why. */
export async function remindLockedBills(
  tx: Tx,
  scope: Scope,
  rows: readonly Bill[],
  missing: readonly number[],
  { channel, ...more }: ReminderRequest,
  now: string,
): Promise<{ readonly made: QueuedReminders; readonly skipped: BulkResult['rows'] }> {
  for (const r of rows) {
    assertInDomain(bill, scope, r)
  }
  const all = await judgeReminders(tx, scope, rows, channel, now)
  const allowed = all.filter(candidate => candidate.refusal === undefined)
  const skipped = [
    ...missing.map(id => ({ id, reason: '账单不存在或已被删除' })),
    ...all.flatMap(candidate =>
      candidate.refusal
        ? [
            {
              id: candidate.row.id,
              code: candidate.row.billNo,
              reason: labelOf(reminderRefusal, candidate.refusal),
            },
          ]
        : [],
    ),
  ]
  return {
    made: allowed.length
      ? await createReminders(tx, scope, allowed, channel, now, more)
      : { ids: [], bills: 0, sendsAfter: undefined },
    skipped,
  }
}

/** Messages go out at once, but not in the quiet hours. */
export const shouldSendNow = (queued: QueuedReminders, channel: ReminderChannel): boolean =>
  queued.ids.length > 0 && messageChannels.has(channel) && !queued.sendsAfter

export const reminderResultText = (
  count: number,
  waits: string | undefined,
  channel: ReminderChannel,
): string =>
  !count
    ? '没有可以催缴的账单'
    : !messageChannels.has(channel)
      ? `已登记${labelOf(reminderChannel, channel)} ${count} 条`
      : `已加入发送队列 ${count} 条${waits ? `，安静时段过后（${waits.slice(5, 16)}）发送` : ''}`

export const reminderHandlers = [
  reads(checkReminders, async ({ ids, channel }, { db, scope, now }) => {
    const rows = await findByIds(db, bill, scope, ids)
    return (await judgeReminders(db, scope, rows, channel, now)).map(({ row, refusal: no, level }) => ({
      id: row.id,
      billNo: row.billNo,
      can: no === undefined,
      ...(no ? { refusal: no, words: labelOf(reminderRefusal, no) } : {}),
      level,
      count: row.urgeCount,
      ...(row.lastUrgeTime ? { lastTime: row.lastUrgeTime } : {}),
    }))
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
      message: reminderResultText(queued.ids.length, queued.sendsAfter, reminder.channel),
    }
  }),
]
