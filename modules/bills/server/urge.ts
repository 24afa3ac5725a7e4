import { codeOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { inBuilding, type Scope } from '#kit/server/scope.ts'
import { byIds, inDomain, insertAll } from '#kit/server/table.ts'
import { payerFrom } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { urgeChannel, urgeRefusal } from '../contract/choices.ts'
import { feeNotice } from '../contract/notice.ts'
import { checkUrge, openChannels, urgeBills } from '../contract/urge.ts'
import { unpaid } from '../domain/bill.ts'
import { periodWords } from '../domain/row.ts'
import {
  demands,
  levelOf,
  quietUntil,
  urgeRefused,
  type Demand,
  type UrgeRefusal,
  type UrgeRules,
  type Urged,
} from '../domain/urge.ts'
import { listed, type Answer } from './act.ts'
import { noneOf } from './actions.ts'
import { contactsOf } from './issue.ts'
import { locked, meantCondition } from './find.ts'
import { lateFees } from './late.ts'
import { toBill } from './stored-bill.ts'
import { urgeRules } from './urge-settings.ts'

export type Channel = ChoiceOf<typeof urgeChannel>

/** Messages, which must not come too often; what people do themselves is only written down. */
const messages: ReadonlySet<Channel> = new Set(['sms', 'wechat', 'app'])

export interface Judged {
  readonly row: Bill
  readonly no: UrgeRefusal | undefined
  readonly level: number
  readonly mobile: string | undefined
  readonly rules: UrgeRules
}

const payer = (b: Bill): number | undefined => payerFrom(b.payerKind, b.payerId)

/**
 * What URG-1 asks of each bill: its payer's telephone as it is now, how often he was written to, whether he
 * wants to be.
 */
export async function judge(
  db: Db,
  scope: Scope,
  rows: readonly Bill[],
  channel: Channel,
  now: string,
  how: 'auto' | 'manual' = 'manual',
): Promise<Judged[]> {
  const owner = scope.ownerId
  const rules = await urgeRules(
    db,
    owner,
    rows.map(r => r.projectCode),
  )
  const contacts = await contactsOf(db, owner, rows.map(payer))
  const sources = [...new Set(rows.map(r => r.sourceCode))]
  const past =
    messages.has(channel) && sources.length
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
            and delete_tag = 0
            and channel in (10, 20, 30)
            and state in (10, 20, 30)
            and create_time > ${now}::timestamptz - interval '90 days'
        `)
      : []
  const refused = new Map(
    (messages.has(channel) && sources.length
      ? await db.rows<{ key: string; last: string }>(
          sql`
            select payer_kind || '/' || payer_id as key, max(create_time) as last
            from fee_notice
            where owner_id = ${owner}
              and payer_id = any(${rows.flatMap(r => r.payerId ?? [])})
              and channel = ${codeOf(urgeChannel, channel)}
              and state = 60
              and delete_tag = 0
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
    const who = payer(row)
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
            : !messages.has(channel)
    const seen = (byPayer.get(heard(row, kind)) ?? []).map((u): Urged => ({ level: u.level, day: u.day }))
    const no = urgeRefused(
      toBill(row),
      { hasContact, optedOut, disputed: row.disputed, promisedFor: row.promiseDate },
      seen,
      now,
      how,
      r,
    )
    return { row, no, level: levelOf(row.dueDate, dayOfMoment(now), r), mobile, rules: r }
  })
}

export interface Queued {
  readonly ids: number[]
  readonly bills: number
  readonly waits: string | undefined
}

/** What a message or a letter asks for on a day: bills with their late fees reckoned on the spot. */
export const asked = (
  list: readonly Bill[],
  late: ReadonlyMap<number, Fen>,
  today: Day,
  rules: UrgeRules,
): Demand =>
  demands(
    list.map(b => ({
      billId: b.id,
      object: b.sourceName,
      payer: 0,
      item: b.feeItemName,
      period: periodWords(b.beginDate, b.endDate),
      dueDate: b.dueDate,
      unpaid: unpaid({ ...toBill(b), lateDue: late.get(b.id) ?? b.lateFeeDue }),
    })),
    today,
    rules,
  )[0]!

/** The objects of a demand as its list shows them. */
const named = (list: readonly Bill[]): string => {
  const all = [...new Set(list.map(b => b.sourceName))]
  const text = all.join('、')
  return text.length <= 100 ? text : `${text.slice(0, 88)}… 等 ${all.length} 处`
}

/**
 * Whom a demand goes to: a message to each payer over all he owes in an estate (URG-4); what is carried to a
 * door, to each object. Who is not registered is known by his telephone. Who has only some buildings gets one
 * for each: what has none would be hidden from him.
 */
const addressee = (j: Judged, message: boolean, scope: Scope): string => {
  const who = payer(j.row)
  const at = `${j.row.sourceType}\n${j.row.sourceCode}`
  return [
    j.row.projectCode,
    inBuilding(scope.domain, j.row.projectCode, '') ? '' : j.row.buildCode,
    ...(who === undefined ? [at, j.mobile] : message ? [who] : [at, who]),
  ].join('\n')
}

/** Writes the demands of bills that may be urged. Messages are queued, deeds of people stand as done. */
export async function demand(
  tx: Tx,
  scope: Scope,
  list: readonly Judged[],
  channel: Channel,
  now: string,
  more: { readonly promiseDate?: string | undefined; readonly remark?: string | undefined } = {},
): Promise<Queued> {
  const today = dayOfMoment(now)
  const late = await lateFees(
    tx,
    scope.ownerId,
    list.map(j => j.row),
    today,
  )
  const done = !messages.has(channel)
  const values = [...Map.groupBy(list, j => addressee(j, !done, scope)).values()].map(g => {
    const mine = g.map(j => j.row)
    const said = asked(mine, late, today, g[0]!.rules)
    const b = mine[0]!
    return {
      projectCode: b.projectCode,
      sourceType: b.sourceType,
      sourceCode: b.sourceCode,
      sourceName: named(mine),
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
      ...(done ? { sendTime: now, state: 'sent' } : { state: 'queued' }),
    }
  })
  const ids = await insertAll(tx, feeNotice, scope, values)
  await tx.run(
    sql`
      update bill
      set last_urge_time = ${now}::timestamptz, urge_count = urge_count + 1,
        ${more.promiseDate ? sql`promise_date = ${more.promiseDate},` : sql``} version = version + 1,
        update_time = now(), update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = any(${list.map(j => j.row.id)})
    `,
  )
  const until = list.map(j => quietUntil(now, j.rules)).find(m => m > now)
  return { ids, bills: list.length, waits: done ? undefined : until }
}

export interface Urging {
  readonly channel: Channel
  readonly promiseDate?: Day | undefined
  readonly remark?: string | undefined
}

/** Refuses what this house cannot do, and a promise for a day that is over. */
export function urgeable({ channel, promiseDate }: Urging, today: Day): void {
  if (!(openChannels as readonly string[]).includes(channel))
    refuse(`${labelOf(urgeChannel, channel)}还没有开通，请用短信或微信，或登记电话、上门和书面催缴`)
  if (promiseDate !== undefined && promiseDate < today) refuse('承诺缴费日不能早于今天')
}

/** Bills that `locked` locked: those that may be urged are, the others are told with why. */
export async function urgeRows(
  tx: Tx,
  scope: Scope,
  rows: readonly Bill[],
  absent: readonly number[],
  { channel, ...more }: Urging,
  now: string,
): Promise<{ readonly made: Queued; readonly skipped: Answer['rows'] }> {
  for (const r of rows) {
    inDomain(bill, scope, r)
  }
  const all = await judge(tx, scope, rows, channel, now)
  const good = all.filter(j => j.no === undefined)
  const skipped = [
    ...absent.map(id => ({ id, reason: '账单不存在或已被删除' })),
    ...all.flatMap(j =>
      j.no ? [{ id: j.row.id, code: j.row.billNo, reason: labelOf(urgeRefusal, j.no) }] : [],
    ),
  ]
  return {
    made: good.length
      ? await demand(tx, scope, good, channel, now, more)
      : { ids: [], bills: 0, waits: undefined },
    skipped,
  }
}

/** Messages go out at once, but not in the quiet hours. */
export const sendsNow = (made: Queued, channel: Channel): boolean =>
  made.ids.length > 0 && messages.has(channel) && !made.waits

export const urgedWords = (count: number, waits: string | undefined, channel: Channel): string =>
  !count
    ? '没有可以催缴的账单'
    : !messages.has(channel)
      ? `已登记${labelOf(urgeChannel, channel)} ${count} 条`
      : `已加入发送队列 ${count} 条${waits ? `，安静时段过后（${waits.slice(5, 16)}）发送` : ''}`

export const urgeHandlers = [
  reads(checkUrge, async ({ ids, channel }, { db, scope, now }) => {
    const rows = await byIds(db, bill, scope, ids)
    return (await judge(db, scope, rows, channel, now)).map(({ row, no, level }) => ({
      id: row.id,
      billNo: row.billNo,
      can: no === undefined,
      ...(no ? { refusal: no, words: labelOf(urgeRefusal, no) } : {}),
      level,
      count: row.urgeCount,
      ...(row.lastUrgeTime ? { lastTime: row.lastUrgeTime } : {}),
    }))
  }),
  writes(urgeBills, async ({ ids, ...said }, { tx, scope, today, now, world }) => {
    urgeable(said, today)
    const rows = await locked(tx, scope, meantCondition(scope, { ids }))
    const { made, skipped } = await urgeRows(tx, scope, rows, noneOf(ids, rows), said, now)
    if (sendsNow(made, said.channel)) {
      await world.jobs.start(tx, scope, 'bills.urge', `发送催缴 ${made.ids.length} 条`, { ids: made.ids })
    }
    return {
      success: made.bills,
      fail: 0,
      skipped: skipped.length,
      rows: skipped.slice(0, listed),
      notices: made.ids.map(String),
      message: urgedWords(made.ids.length, made.waits, said.channel),
    }
  }),
]
