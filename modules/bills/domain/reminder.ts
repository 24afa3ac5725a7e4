import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { displayYuan, type Fen, sumFen } from '#kit/domain/money.ts'
import { addDaysToMoment, dayOfMoment, momentAt, timeOf, type Moment } from '#kit/domain/moment.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { reminderRefusal } from '../contract/choices.ts'
import { isLocked, unpaid, type Bill } from './bill.ts'
import { overdueDays } from './late-fee.ts'

/**
 * Rules of reminders (URG-2 to URG-5): levels by overdue days in rising order; days between two reminders
 * of one level; automatic reminders before and after the due date; quiet hours `HH:mm`.
 */
export interface ReminderRules {
  readonly levels: readonly number[]
  readonly gapDays: number
  readonly remind: readonly number[]
  readonly quietFrom: string
  readonly quietTo: string
}

export const defaultReminderRules: ReminderRules = {
  levels: [1, 15, 45, 90],
  gapDays: 7,
  remind: [-3, 0, 1],
  quietFrom: '21:00',
  quietTo: '08:00',
}

/** 0 before and on the due day, then 1 to 4 by overdue days. */
export const reminderLevelOf = (
  dueDate: Day,
  today: Day,
  rules: ReminderRules = defaultReminderRules,
): number => {
  const days = overdueDays(dueDate, today)
  return days === 0 ? 0 : rules.levels.filter(n => days >= n).length
}

export interface Debtor {
  readonly hasContact: boolean
  readonly optedOut: boolean
  readonly disputed: boolean
  readonly promisedFor?: Day | undefined
}

export interface PastReminder {
  readonly level: number
  readonly day: Day
}

export type ReminderRefusal = ChoiceOf<typeof reminderRefusal>

/**
 * Why a bill cannot be reminded of now; undefined when it can (URG-1). `manual`: sent by a person, whom a
 * promise does not stop (URG-7 is about automatic reminders) but a dispute does.
 */
export function findReminderRefusal(
  bill: Bill,
  debtor: Debtor,
  past: readonly PastReminder[],
  now: Moment,
  mode: 'auto' | 'manual' = 'manual',
  rules: ReminderRules = defaultReminderRules,
): ReminderRefusal | undefined {
  const today = dayOfMoment(now)
  const level = reminderLevelOf(bill.dueDate, today, rules)
  if (bill.deleted || bill.state !== 'normal') return 'notNormal'
  if (bill.payState === 'paid' || unpaid(bill) <= 0) return 'paid'
  if (debtor.disputed) return 'disputed'
  if (isLocked(bill, now)) return 'paying'
  if (mode === 'auto' && debtor.promisedFor !== undefined && today <= debtor.promisedFor) return 'promised'
  // Reminders before the due date have days of their own: one three days before does not suppress the one
  // on the day (URG-5).
  const gap = mode === 'auto' && level === 0 ? 1 : rules.gapDays
  if (past.some(u => u.level === level && daysBetween(u.day, today) < gap)) return 'tooSoon'
  if (!debtor.hasContact) return 'noContact'
  return debtor.optedOut ? 'optedOut' : undefined
}

/** The moment itself, or the end of the quiet hours in which it falls (URG-4). */
export function quietHoursEnd(now: Moment, rules: ReminderRules = defaultReminderRules): Moment {
  const timeOfDay = timeOf(now).slice(0, 5)
  const day = dayOfMoment(now)
  const over = rules.quietFrom > rules.quietTo
  const quiet = over
    ? timeOfDay >= rules.quietFrom || timeOfDay < rules.quietTo
    : timeOfDay >= rules.quietFrom && timeOfDay < rules.quietTo
  if (!quiet) return now
  const end = momentAt(day, rules.quietTo)
  return over && timeOfDay >= rules.quietFrom ? addDaysToMoment(end, 1) : end
}

/** `object`: the charged object, named in messages about several. */
export interface RemindedBill {
  readonly billId: Id
  readonly object?: string | undefined
  readonly payer: number | undefined
  readonly item: string
  readonly period: string
  readonly dueDate: Day
  readonly unpaid: Fen
}

export interface Reminder {
  readonly payer: number | undefined
  readonly bills: readonly RemindedBill[]
  readonly total: Fen
  readonly level: number
  readonly text: string
}

/** What a debtor owes besides the bills that are named. */
export interface OtherDebts {
  readonly count: number
  readonly total: Fen
}

export const otherDebtsText = ({ count, total }: OtherDebts): string =>
  `另有 ${count} 笔已到期的费用共 ${displayYuan(total)} 元未列入`

/**
 * A warning before a manual reminder of a bill that may be reminded of: it is promised for a day, or was
 * demanded of late by any channel (URG-4, URG-7).
 */
export function findReminderWarning(
  dueDate: Day,
  promisedFor: Day | undefined,
  past: readonly PastReminder[],
  today: Day,
  rules: ReminderRules = defaultReminderRules,
): Extract<ReminderRefusal, 'promised' | 'tooSoon'> | undefined {
  if (promisedFor !== undefined && today <= promisedFor) return 'promised'
  const level = reminderLevelOf(dueDate, today, rules)
  const isRecent = past.some(u => u.level === level && daysBetween(u.day, today) < rules.gapDays)
  return isRecent ? 'tooSoon' : undefined
}

const maxTextLength = 300

/** Each bill by its period, or, where that grows too long for a message, each item with how many. */
function listBillsInText(bills: readonly RemindedBill[]): string {
  const several = new Set(bills.map(b => b.object)).size > 1
  const each = bills
    .map(
      b => `${several && b.object ? `${b.object} ` : ''}${b.item}（${b.period}）${displayYuan(b.unpaid)} 元`,
    )
    .join('、')
  if (each.length <= maxTextLength) return each
  const items = [...Map.groupBy(bills, b => b.item)].map(
    ([item, list]) => `${item} ${list.length} 笔 ${displayYuan(sumFen(list.map(b => b.unpaid)))} 元`,
  )
  let fit = items.length
  while (fit > 1 && items.slice(0, fit).join('、').length > maxTextLength) {
    fit--
  }
  return `${items.slice(0, fit).join('、')}${fit < items.length ? ` 等 ${items.length} 项` : ''}`
}

/** The text mentions 逾期 only after the due date (URG-3); amounts have two decimals. */
const reminderText = (bills: readonly RemindedBill[], total: Fen, today: Day): string => {
  const list = listBillsInText(bills)
  const last = defined(bills.map(b => b.dueDate).toSorted()[0])
  return last >= today
    ? `温馨提示：您有 ${bills.length} 笔费用共 ${displayYuan(total)} 元待缴：${list}，请于 ${last} 前缴纳。如已缴纳请忽略。`
    : `您有 ${bills.length} 笔费用共 ${displayYuan(total)} 元待缴：${list}，其中最早一笔已逾期 ${overdueDays(last, today)} 天，请尽快缴纳。如已缴纳请忽略。`
}

/**
 * One message per payer for all their bills, at the level of the oldest; bills without a payer get one
 * each (URG-4).
 */
export function buildReminders(
  list: readonly RemindedBill[],
  today: Day,
  rules: ReminderRules = defaultReminderRules,
): Reminder[] {
  const groups = new Map<string, RemindedBill[]>()
  for (const b of list) {
    const key = b.payer === undefined ? `bill ${b.billId}` : String(b.payer)
    groups.set(key, [...(groups.get(key) ?? []), b])
  }
  return [...groups.values()].map(bills => {
    const total = sumFen(bills.map(b => b.unpaid))
    const level = Math.max(...bills.map(b => reminderLevelOf(b.dueDate, today, rules)))
    return {
      payer: defined(bills[0]).payer,
      bills,
      total,
      level,
      text: reminderText(bills, total, today),
    }
  })
}
