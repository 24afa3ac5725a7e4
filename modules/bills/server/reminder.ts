import { codeOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasBuilding, type Scope } from '#kit/server/scope.ts'
import { findByIds, assertInDomain, insertAll } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { toPayer } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { reminderChannel, reminderRefusal } from '../contract/choices.ts'
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
import { lockBills, selectionCondition } from './bill-query.ts'
import { computeLateFees } from './late-fee.ts'
import { toBill } from './stored-bill.ts'
import { findReminderRules } from './reminder-settings.ts'

export type ReminderChannel = ChoiceOf<typeof reminderChannel>

/** Messages, which must not come too often; what people do themselves is only written down. */
const messageChannels: ReadonlySet<ReminderChannel> = new Set(['sms', 'wechat', 'app'])

export interface ReminderCandidate {
  readonly row: Bill
  readonly no: ReminderRefusal | undefined
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
  how: 'auto' | 'manual' = 'manual',
): Promise<ReminderCandidate[]> {
  const owner = scope.ownerId
  const rules = await findReminderRules(
    db,
    owner,
    rows.map(r => r.projectCode),
  )
  const contacts = await findPayerContacts(db, owner, rows.map(payerOf))
  const sources = [...new Set(rows.map(r => r.sourceCode))]
  const past =
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
            and channel in (10, 20, 30)
            and state in (10, 20, 30)
            and create_time > ${now}::timestamptz - interval '90 days'
        `)
      : []
  const refused = new Map(
    (messageChannels.has(channel) && sources.length
      ? await db.rows<{ key: string; last: string }>(
          sql`
            select payer_kind || '/' || payer_id as key, max(create_time) as last
            from fee_notice
            where owner_id = ${owner}
              and payer_id = any(${rows.flatMap(r => r.payerId ?? [])})
              and channel = ${codeOf(reminderChannel, channel)}
              and state = 60
              and ${live()}
            group by 1
          `,
        )
      : []
    ).map(r => [r.key, r.last] as const),
  )
  // A payer is written to as one; who is not registered, about the object alone.
  const heard = (
    p: { readonly projectCode: string; readonly sourceCode: string; readonly payerId?: number | undefined },
    kind: number,
  ): string => [p.projectCode, kind, p.payerId ?? `at ${p.sourceCode}`].join('\n')
  const byPayer = Map.groupBy(past, p => heard(p, p.payerKind ?? 0))
  return rows.map(row => {
    const who = payerOf(row)
    const contact = who === undefined ? undefined : contacts.get(who)
    const mobile = contact?.mobile ?? row.payerMobile
    const no60 = refused.get(
      `${row.payerKind === 'company' ? 2 : row.payerKind === 'resident' ? 1 : 0}/${row.payerId ?? 0}`,
    )
    const r = rules.get(row.projectCode)!
    const kind = row.payerKind === 'company' ? 2 : row.payerKind === 'resident' ? 1 : 0
    // Who has bound his WeChat anew wants to hear again.
    const optedOut =
      no60 !== undefined &&
      !(channel === 'wechat' && contact?.openSince !== undefined && contact.openSince > no60)
    const hasContact =
      channel === 'wechat'
        ? contact?.openId !== undefined
        : channel === 'sms'
          ? /^1[3-9]\d{9}$/.test(mobile ?? '')
          : channel === 'phone'
            ? mobile !== undefined
            : !messageChannels.has(channel)
    const seen = (byPayer.get(heard(row, kind)) ?? []).map((u): PastReminder => ({
      level: u.level,
      day: u.day,
    }))
    const no = findReminderRefusal(
      toBill(row),
      { hasContact, optedOut, disputed: row.disputed, promisedFor: row.promiseDate },
      seen,
      now,
      how,
      r,
    )
    return { row, no, level: reminderLevelOf(row.dueDate, dayOfMoment(now), r), mobile, rules: r }
  })
}

export interface QueuedReminders {
  readonly ids: number[]
  readonly bills: number
  readonly waits: string | undefined
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
const recipientKey = (j: ReminderCandidate, message: boolean, scope: Scope): string => {
  const who = payerOf(j.row)
  const at = `${j.row.sourceType}\n${j.row.sourceCode}`
  return [
    j.row.projectCode,
    hasBuilding(scope.domain, j.row.projectCode, '') ? '' : j.row.buildCode,
    ...(who === undefined ? [at, j.mobile] : message ? [who] : [at, who]),
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
    list.map(j => j.row),
    today,
  )
  const done = !messageChannels.has(channel)
  const values = [...Map.groupBy(list, j => recipientKey(j, !done, scope)).values()].map(g => {
    const mine = g.map(j => j.row)
    const said = buildReminder(mine, late, today, g[0]!.rules)
    const b = mine[0]!
    return {
      projectCode: b.projectCode,
      sourceType: b.sourceType,
      sourceCode: b.sourceCode,
      sourceName: sourceNamesText(mine),
      buildCode: mine.every(x => x.buildCode === b.buildCode) ? b.buildCode : undefined,
      payerKind: b.payerKind,
      payerId: b.payerId,
      payerName: b.payerName,
      payerMobile: g[0]!.mobile,
      billIds: mine.map(x => String(x.id)),
      billCount: g.length,
      totalAmount: said.total,
      channel,
      level: said.level,
      content: said.text,
      promiseDate: more.promiseDate,
      remark: more.remark,
      ...(done ? { sendTime: now, state: 'sent' as const } : { state: 'queued' as const }),
    }
  })
  const ids = await insertAll(tx, feeNotice, scope, values)
  await tx.execute(
    sql`
      update bill
      set last_urge_time = ${now}::timestamptz, urge_count = urge_count + 1,
        ${more.promiseDate ? sql`promise_date = ${more.promiseDate},` : sql``} ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${list.map(j => j.row.id)})
    `,
  )
  const until = list.map(j => quietHoursEnd(now, j.rules)).find(m => m > now)
  return { ids, bills: list.length, waits: done ? undefined : until }
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
  absent: readonly number[],
  { channel, ...more }: ReminderRequest,
  now: string,
): Promise<{ readonly made: QueuedReminders; readonly skipped: BulkResult['rows'] }> {
  for (const r of rows) {
    assertInDomain(bill, scope, r)
  }
  const all = await judgeReminders(tx, scope, rows, channel, now)
  const good = all.filter(j => j.no === undefined)
  const skipped = [
    ...absent.map(id => ({ id, reason: '账单不存在或已被删除' })),
    ...all.flatMap(j =>
      j.no ? [{ id: j.row.id, code: j.row.billNo, reason: labelOf(reminderRefusal, j.no) }] : [],
    ),
  ]
  return {
    made: good.length
      ? await createReminders(tx, scope, good, channel, now, more)
      : { ids: [], bills: 0, waits: undefined },
    skipped,
  }
}

/** Messages go out at once, but not in the quiet hours. */
export const shouldSendNow = (made: QueuedReminders, channel: ReminderChannel): boolean =>
  made.ids.length > 0 && messageChannels.has(channel) && !made.waits

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
    return (await judgeReminders(db, scope, rows, channel, now)).map(({ row, no, level }) => ({
      id: row.id,
      billNo: row.billNo,
      can: no === undefined,
      ...(no ? { refusal: no, words: labelOf(reminderRefusal, no) } : {}),
      level,
      count: row.urgeCount,
      ...(row.lastUrgeTime ? { lastTime: row.lastUrgeTime } : {}),
    }))
  }),
  writes(remindBills, async ({ ids, ...said }, { tx, scope, today, now, app }) => {
    assertRequestAllowed(said, today)
    const rows = await lockBills(tx, scope, selectionCondition(scope, { ids }))
    const { made, skipped } = await remindLockedBills(tx, scope, rows, findMissingIds(ids, rows), said, now)
    if (shouldSendNow(made, said.channel)) {
      await app.jobs.start(tx, scope, 'bills.urge', `发送催缴 ${made.ids.length} 条`, { ids: made.ids })
    }
    return {
      success: made.bills,
      fail: 0,
      skipped: skipped.length,
      rows: skipped.slice(0, maxReportedRows),
      notices: made.ids.map(String),
      message: reminderResultText(made.ids.length, made.waits, said.channel),
    }
  }),
]
