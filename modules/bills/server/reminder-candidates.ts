import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { dayOfMoment, addDaysToMoment, type Moment } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { type Scope } from '#kit/server/scope.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import { toPayer } from '#modules/fees/server/public.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { type Bill } from '../contract/bill.ts'
import { reminderChannel, reminderState } from '../contract/choices.ts'
import {
  reminderLevelOf,
  findReminderRefusal,
  findReminderWarning,
  type ReminderRefusal,
  type ReminderRules,
} from '../domain/reminder.ts'
import { findPayerContacts, type Contacts } from './issue.ts'
import { toBill } from './stored-bill.ts'
import { findReminderRules } from './reminder-settings.ts'

export type ReminderChannel = ChoiceOf<typeof reminderChannel>

/** Channels by which the system sends messages; phone calls, visits and letters are only recorded. */
export const messageChannels: ReadonlySet<ReminderChannel> = new Set(['sms', 'wechat', 'email', 'app'])

export interface ReminderCandidate {
  readonly row: Bill
  readonly refusal: ReminderRefusal | undefined
  /** A warning for the person, who may remind all the same. */
  readonly warning: ReminderRefusal | undefined
  readonly level: number
  readonly mobile: string | undefined
  readonly rules: ReminderRules
}

export const payerOf = (b: Bill): number | undefined => toPayer(b.payerKind, b.payerId)

interface PastNotice {
  readonly projectCode: string
  readonly sourceCode: string
  readonly payerKind?: number
  readonly payerId?: Id
  readonly level: number
  readonly day: Day
}

/**
 * Notices of the last 90 days about the objects or to the payers of bills; messages alone, or those of every
 * channel.
 */
const findPastNotices = (
  db: Db,
  ownerId: Id,
  rows: readonly Bill[],
  now: Moment,
  kind: 'messages' | 'all',
): Promise<PastNotice[]> =>
  db.rows<PastNotice>(sql`
    select project_code, source_code, payer_kind, payer_id, level,
      (create_time at time zone 'Asia/Shanghai')::date as day
    from fee_notice
    where owner_id = ${ownerId}
      and (
        source_code = any(${[...new Set(rows.map(r => r.sourceCode))]})
        or payer_id = any(${[...new Set(rows.flatMap(r => r.payerId ?? []))]})
      )
      and ${notDeleted()}
      ${kind === 'messages' ? sql`and channel in ${codes(reminderChannel, 'sms', 'wechat', 'email', 'app')}` : sql``}
      and state in ${codes(reminderState, 'queued', 'sending', 'sent')}
      and create_time > ${addDaysToMoment(now, -90)}::timestamptz
  `)

/** When payers last refused messages of a channel, by `kind/id`. */
async function findRefusals(
  db: Db,
  ownerId: Id,
  rows: readonly Bill[],
  channel: ReminderChannel,
): Promise<ReadonlyMap<string, string>> {
  const refusals = await db.rows<{ key: string; last: string }>(
    sql`
      select payer_kind || '/' || payer_id as key, max(create_time) as last
      from fee_notice
      where owner_id = ${ownerId}
        and payer_id = any(${rows.flatMap(r => r.payerId ?? [])})
        and channel = ${codeOf(reminderChannel, channel)}
        and state = ${code(reminderState, 'refused')}
        and ${notDeleted()}
      group by 1
    `,
  )
  return new Map(refusals.map(r => [r.key, r.last]))
}

const payerKindCode = (b: Bill): number => (b.payerKind ? Number(codeOf(payerSide, b.payerKind)) : 0)

/** A payer gets messages as one person; a bill without a registered payer counts by its object. */
const pastKey = (
  p: { readonly projectCode: string; readonly sourceCode: string; readonly payerId?: Id | undefined },
  kind: number,
): string => [p.projectCode, kind, p.payerId ?? `at ${p.sourceCode}`].join('\n')

type PayerContact = ReturnType<Contacts['get']>

function hasContactFor(channel: ReminderChannel, contact: PayerContact, mobile: string | undefined): boolean {
  if (channel === 'wechat') return contact?.openId !== undefined
  if (channel === 'email') return contact?.email !== undefined
  if (channel === 'sms') return /^1[3-9]\d{9}$/.test(mobile ?? '')
  if (channel === 'phone') return mobile !== undefined
  return !messageChannels.has(channel)
}

/** A payer who has bound WeChat again after refusing wants messages again. */
const hasOptedOut = (
  channel: ReminderChannel,
  contact: PayerContact,
  refusedAt: string | undefined,
): boolean =>
  refusedAt !== undefined &&
  !(channel === 'wechat' && contact?.openSince !== undefined && contact.openSince > refusedAt)

/**
 * Whether each bill may be reminded of now (URG-1), with the contacts of its payer as they are now. `mode`:
 * automatic reminders have stricter rules than those sent by a person.
 */
export async function judgeReminders(
  db: Db,
  scope: Scope,
  rows: readonly Bill[],
  channel: ReminderChannel,
  now: Moment,
  mode: 'auto' | 'manual' = 'manual',
): Promise<ReminderCandidate[]> {
  const ownerId = scope.ownerId
  const rulesByProject = await findReminderRules(
    db,
    ownerId,
    rows.map(r => r.projectCode),
  )
  const contacts = await findPayerContacts(db, ownerId, rows.map(payerOf))
  const isMessage = messageChannels.has(channel) && rows.length > 0
  const pastNotices = rows.length
    ? await findPastNotices(db, ownerId, rows, now, isMessage ? 'messages' : 'all')
    : []
  const refusedAtByPayer = isMessage
    ? await findRefusals(db, ownerId, rows, channel)
    : new Map<string, string>()
  const pastByPayer = Map.groupBy(pastNotices, p => pastKey(p, p.payerKind ?? 0))
  return rows.map(row => {
    const payer = payerOf(row)
    const contact = payer === undefined ? undefined : contacts.get(payer)
    const mobile = contact?.mobile ?? row.payerMobile
    const rules = defined(rulesByProject.get(row.projectCode))
    const kind = payerKindCode(row)
    const past = (pastByPayer.get(pastKey(row, kind)) ?? []).map(({ level, day }) => ({ level, day }))
    const today = dayOfMoment(now)
    const refusal = findReminderRefusal(
      toBill(row),
      {
        hasContact: hasContactFor(channel, contact, mobile),
        optedOut: hasOptedOut(channel, contact, refusedAtByPayer.get(`${kind}/${row.payerId ?? 0}`)),
        disputed: row.disputed,
        promisedFor: row.promiseDate,
      },
      isMessage ? past : [],
      now,
      mode,
      rules,
    )
    const warning = refusal
      ? undefined
      : findReminderWarning(row.dueDate, row.promiseDate, past, today, rules)
    return { row, refusal, warning, level: reminderLevelOf(row.dueDate, today, rules), mobile, rules }
  })
}
