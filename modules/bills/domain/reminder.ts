import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { addDaysToMoment, dayOfMoment, timeOf, type Moment } from '#kit/domain/moment.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { reminderRefusal } from '../contract/choices.ts'
import { isLocked, unpaid, type Bill } from './bill.ts'
import { overdueDays } from './late-fee.ts'

/**
 * Levels by overdue days, rising; days between two urges of one level; reminders before and after the due
 * day; quiet hours `HH:mm` (URG-2 to URG-5).
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
 * URG-1: why a bill may not be urged now; nothing when it may. `manual`: a person does it, whom a promise
 * does not hold back (URG-7 is about automatic dunning), a dispute does.
 */
export function findReminderRefusal(
  b: Bill,
  who: Debtor,
  past: readonly PastReminder[],
  now: Moment,
  how: 'auto' | 'manual' = 'manual',
  rules: ReminderRules = defaultReminderRules,
): ReminderRefusal | undefined {
  const today = dayOfMoment(now)
  const level = reminderLevelOf(b.dueDate, today, rules)
  if (b.deleted || b.state !== 'normal') return 'notNormal'
  if (b.payState === 'paid' || unpaid(b) <= 0) return 'paid'
  if (who.disputed) return 'disputed'
  if (isLocked(b, now)) return 'paying'
  if (how === 'auto' && who.promisedFor !== undefined && today <= who.promisedFor) return 'promised'
  // The kind words before the due day have days of their own (URG-5): three days before it does not silence
  // the day itself.
  const gap = how === 'auto' && level === 0 ? 1 : rules.gapDays
  if (past.some(u => u.level === level && daysBetween(u.day, today) < gap)) return 'tooSoon'
  if (!who.hasContact) return 'noContact'
  return who.optedOut ? 'optedOut' : undefined
}

/** URG-5: the day belongs to the automatic ones: D−3, D, D+1, then the first day of each level. */
export const isReminderDay = (
  dueDate: Day,
  today: Day,
  rules: ReminderRules = defaultReminderRules,
): boolean => {
  const n = daysBetween(dueDate, today)
  return rules.remind.includes(n) || rules.levels.includes(n)
}

/** URG-4: the moment itself, or the end of the quiet hours it falls into. */
export function quietHoursEnd(now: Moment, rules: ReminderRules = defaultReminderRules): Moment {
  const t = timeOf(now).slice(0, 5)
  const day = dayOfMoment(now)
  const over = rules.quietFrom > rules.quietTo
  const quiet = over ? t >= rules.quietFrom || t < rules.quietTo : t >= rules.quietFrom && t < rules.quietTo
  if (!quiet) return now
  const end = `${day} ${rules.quietTo}:00`
  return over && t >= rules.quietFrom ? addDaysToMoment(end, 1) : end
}

/** `object`: what is charged; said where a demand is over several. */
export interface RemindedBill {
  readonly billId: number
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

const maxTextLength = 300

/** Each bill by its period, or, where that grows too long for a message, each item with how many. */
function listBillsInText(bills: readonly RemindedBill[]): string {
  const several = new Set(bills.map(b => b.object)).size > 1
  const each = bills
    .map(
      b => `${several && b.object ? `${b.object} ` : ''}${b.item}（${b.period}）${formatYuan(b.unpaid)} 元`,
    )
    .join('、')
  if (each.length <= maxTextLength) return each
  const items = [...Map.groupBy(bills, b => b.item)].map(
    ([item, list]) => `${item} ${list.length} 笔 ${formatYuan(list.reduce((n, b) => n + b.unpaid, 0))} 元`,
  )
  let fit = items.length
  while (fit > 1 && items.slice(0, fit).join('、').length > maxTextLength) {
    fit--
  }
  return `${items.slice(0, fit).join('、')}${fit < items.length ? ` 等 ${items.length} 项` : ''}`
}

/** Only after the due day may a text speak of 逾期 (URG-3); amounts with two decimals. */
const reminderText = (bills: readonly RemindedBill[], total: Fen, today: Day): string => {
  const list = listBillsInText(bills)
  const last = bills.map(b => b.dueDate).sort()[0]!
  return last >= today
    ? `温馨提示：您有 ${bills.length} 笔费用共 ${formatYuan(total)} 元待缴：${list}，请于 ${last} 前缴纳。如已缴纳请忽略。`
    : `您有 ${bills.length} 笔费用共 ${formatYuan(total)} 元待缴：${list}，其中最早一笔已逾期 ${overdueDays(last, today)} 天，请尽快缴纳。如已缴纳请忽略。`
}

/**
 * URG-4: one message per payer over all their bills, at the level of the oldest; bills of nobody each alone.
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
    const total = bills.reduce((sum, b) => sum + b.unpaid, 0)
    const level = Math.max(...bills.map(b => reminderLevelOf(b.dueDate, today, rules)))
    return { payer: bills[0]!.payer, bills, total, level, text: reminderText(bills, total, today) }
  })
}

/** The next automatic day from a day on (URG-5). */
export const nextReminderDay = (
  dueDate: Day,
  from: Day,
  rules: ReminderRules = defaultReminderRules,
): Day | undefined =>
  [...new Set([...rules.remind, ...rules.levels])]
    .sort((a, b) => a - b)
    .map(n => addDays(dueDate, n))
    .find(d => d >= from)
