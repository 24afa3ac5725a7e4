import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { hasBuilding, type Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { type Bill } from '../contract/bill.ts'
import { reminderState } from '../contract/choices.ts'
import { feeNotice } from '../contract/notice.ts'
import { unpaid } from '../domain/bill.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import {
  buildReminders,
  otherDebtsText,
  quietHoursEnd,
  type OtherDebts,
  type Reminder,
  type ReminderRules,
} from '../domain/reminder.ts'
import { computeLateFees } from './late-fee.ts'
import { findOtherDebts } from './other-debts.ts'
import { toBill } from './stored-bill.ts'
import {
  messageChannels,
  payerOf,
  type ReminderCandidate,
  type ReminderChannel,
} from './reminder-candidates.ts'

export interface QueuedReminders {
  readonly ids: Id[]
  readonly bills: number
  /** Those who owe them, each once: what the clerk calls a customer. */
  readonly payers: number
  readonly sendsAfter: string | undefined
}

/** The text and amount of a message for one recipient on a day, with late fees as of that day. */
export const buildReminder = (
  list: readonly Bill[],
  late: ReadonlyMap<Id, Fen>,
  today: Day,
  rules: ReminderRules,
  others?: OtherDebts,
): Reminder => {
  const reminder = defined(
    buildReminders(
      list.map(bill => ({
        billId: bill.id,
        object: bill.sourceName,
        payer: 0,
        item: bill.feeItemName,
        period: formatPeriod(bill.beginDate, bill.endDate),
        dueDate: bill.dueDate,
        unpaid: unpaid({ ...toBill(bill), lateDue: late.get(bill.id) ?? bill.lateFeeDue }),
      })),
      today,
      rules,
    )[0],
  )
  return others ? { ...reminder, text: `${reminder.text}${otherDebtsText(others)}。` } : reminder
}

/** A payer who is not registered is known by the object and the phone number. */
export const payerKeyOf = ({ row, mobile }: ReminderCandidate): string =>
  String(payerOf(row) ?? `${row.sourceType}/${row.sourceCode}/${mobile ?? ''}`)

const countPayers = (list: readonly ReminderCandidate[]): number => new Set(list.map(payerKeyOf)).size

/** The objects of a notice in at most 100 characters. */
const sourceNamesText = (list: readonly Bill[]): string => {
  const all = [...new Set(list.map(b => b.sourceName))]
  const text = all.join('、')
  return text.length <= 100 ? text : `${text.slice(0, 88)}… 等 ${all.length} 处`
}

/**
 * Groups bills into notices: one message per payer and project for all objects (URG-4); phone calls, visits
 * and letters per object. A payer who is not registered is known by the phone number. When the sender sees
 * only some buildings, there is one notice per building, because the sender could not see a notice without a
 * building.
 */
const recipientKey = (candidate: ReminderCandidate, isMessage: boolean, scope: Scope): string => {
  const payer = payerOf(candidate.row)
  const at = `${candidate.row.sourceType}\n${candidate.row.sourceCode}`
  return [
    candidate.row.projectCode,
    hasBuilding(scope.domain, candidate.row.projectCode, '') ? '' : candidate.row.buildCode,
    ...(payer === undefined ? [at, candidate.mobile] : isMessage ? [payer] : [at, payer]),
  ].join('\n')
}

function toNotice(
  group: readonly ReminderCandidate[],
  late: ReadonlyMap<Id, Fen>,
  others: OtherDebts | undefined,
  today: Day,
) {
  const bills = group.map(candidate => candidate.row)
  const { mobile, rules } = defined(group[0])
  const reminder = buildReminder(bills, late, today, rules, others)
  const first = defined(bills[0])
  return {
    projectCode: first.projectCode,
    sourceType: first.sourceType,
    sourceCode: first.sourceCode,
    sourceName: sourceNamesText(bills),
    buildCode: bills.every(b => b.buildCode === first.buildCode) ? first.buildCode : undefined,
    payerKind: first.payerKind,
    payerId: first.payerId,
    payerName: first.payerName,
    payerMobile: mobile,
    billIds: bills.map(b => String(b.id)),
    billCount: group.length,
    totalAmount: reminder.total,
    level: reminder.level,
    content: reminder.text,
  }
}

/** The bills of a list, locked in order, each with how often it stands there. */
const countedReminders = (ownerId: Id, billIds: readonly Id[]): RawBuilder<unknown> => sql`
    reminded as (
      select id, count(*)::int as times
      from unnest(${[...billIds]}::bigint[]) as x(id)
      group by id
    ), locked as (
      select b.id
      from bill b
      where b.owner_id = ${ownerId} and b.id = any(${[...billIds]})
      order by b.id
      for update
    )`

/**
 * Counts reminders on the bills that they ask for: only those that reached somebody, once for each time an id
 * is in the list. What waits or failed is no reminder.
 */
export const countReminders = (
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>,
  billIds: readonly Id[],
  at: Moment,
): Promise<number> =>
  tx.execute(sql`
    with ${countedReminders(scope.ownerId, billIds)}
    update bill b
    set last_urge_time = ${at}::timestamptz, urge_count = b.urge_count + r.times, ${touch(scope, 'b')}
    from locked l
    join reminded r on r.id = l.id
    where b.owner_id = ${scope.ownerId} and b.id = l.id
  `)

/** Takes back what was counted for notices that reached nobody after all: as often as an id is listed. */
export const uncountReminders = (
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId' | 'time'>,
  billIds: readonly Id[],
): Promise<number> =>
  tx.execute(sql`
    with ${countedReminders(scope.ownerId, billIds)}
    update bill b
    set urge_count = greatest(b.urge_count - r.times, 0),
      last_urge_time = (
        select max(n.send_time)
        from fee_notice n
        where n.owner_id = ${scope.ownerId}
          and n.source_code = b.source_code
          and n.bill_ids @> array[b.id::text]
          and n.state = ${code(reminderState, 'sent')}
          and ${notDeleted('n')}
      ),
      ${touch(scope, 'b')}
    from locked l
    join reminded r on r.id = l.id
    where b.owner_id = ${scope.ownerId} and b.id = l.id
  `)

/** Calls and visits have been made when they are written down; a letter has still to be printed. */
const isDoneByPerson = (channel: ReminderChannel): boolean => channel === 'phone' || channel === 'visit'

/**
 * Writes the notices of bills that may be reminded of: messages are queued, what people did is recorded as
 * done.
 */
export async function createReminders(
  tx: Tx,
  scope: Scope,
  list: readonly ReminderCandidate[],
  channel: ReminderChannel,
  now: Moment,
  fields: { readonly promiseDate?: Day | undefined; readonly remark?: string | undefined } = {},
): Promise<QueuedReminders> {
  const today = dayOfMoment(now)
  const late = await computeLateFees(
    tx,
    scope.ownerId,
    list.map(candidate => candidate.row),
    today,
  )
  const isRecorded = !messageChannels.has(channel)
  const groups = [...Map.groupBy(list, candidate => recipientKey(candidate, !isRecorded, scope)).values()]
  // The part is not mistaken for the whole debt.
  const others = await findOtherDebts(
    tx,
    scope,
    groups.map(group => group.map(candidate => candidate.row)),
    today,
  )
  const values = groups.map((group, i) => ({
    ...toNotice(group, late, others[i], today),
    channel,
    promiseDate: fields.promiseDate,
    remark: fields.remark,
    ...(isDoneByPerson(channel) ? { sendTime: now, state: 'sent' as const } : { state: 'queued' as const }),
  }))
  const ids = await insertAll(tx, feeNotice, scope, values)
  const billIds = list.map(candidate => candidate.row.id)
  if (fields.promiseDate) {
    await tx.execute(sql`
      update bill
      set promise_date = ${fields.promiseDate}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${billIds})
    `)
  }
  if (isDoneByPerson(channel)) {
    await countReminders(tx, scope, billIds, now)
  }
  const until = list.map(candidate => quietHoursEnd(now, candidate.rules)).find(m => m > now)
  return { ids, bills: list.length, payers: countPayers(list), sendsAfter: isRecorded ? undefined : until }
}
