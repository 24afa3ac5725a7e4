import { defined } from '#kit/domain/defined.ts'
import { addMonths, daysBetween, firstOfMonth, type Day } from '#kit/domain/day.ts'
import { addFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { payRefusal, type PayableBill } from '#modules/bills/server/public.ts'
import { isDepositBill } from '../domain/deposit-bills.ts'

/**
 * What begins in this month or earlier is due now and selected; what is billed ahead is not. Months of a card
 * are billed when somebody buys them, whenever they begin.
 */
export const isSelectedByDefault = (
  { beginDate, feeType }: Pick<PayableBill['row'], 'beginDate' | 'feeType'>,
  today: Day,
): boolean => feeType === 'monthCard' || beginDate < addMonths(firstOfMonth(today), 1)

interface DayContext {
  readonly today: Day
  readonly now: Moment
  /** Something other than deposits is due: a deposit is paid alone (C27-8) and is not selected beside it. */
  readonly isFeeDue: boolean
}

function toCashierBill({ row, owed }: PayableBill, { today, now, isFeeDue }: DayContext) {
  const refusal = payRefusal(row, now)
  const isLeftApart = isFeeDue && isDepositBill(row)
  return {
    billId: row.id,
    billNo: row.billNo,
    feeItemName: row.feeItemName,
    payerName: row.payerName,
    remark: row.remark,
    feeType: row.feeType,
    beginDate: row.beginDate,
    endDate: row.endDate,
    dueDate: row.dueDate,
    overdueDays: Math.max(0, daysBetween(row.dueDate, today)),
    receivable: row.receivable,
    discount: row.discountAmount,
    paid: row.paidPrincipal,
    principal: owed.principal,
    late: owed.late,
    total: addFen(owed.principal, owed.late),
    selectedByDefault: isSelectedByDefault(row, today) && refusal === undefined && !isLeftApart,
    refusal,
  }
}

/** By object, rooms before their parking places. */
export const groupBySource = (bills: readonly PayableBill[], context: DayContext) =>
  [...Map.groupBy(bills, b => `${b.row.sourceType}/${b.row.sourceCode}`).values()]
    .map(group => ({
      sourceType: defined(group[0]).row.sourceType,
      sourceCode: defined(group[0]).row.sourceCode,
      sourceName: defined(group[0]).row.sourceName,
      bills: group.map(b => toCashierBill(b, context)),
    }))
    .toSorted((a, b) => Number(b.sourceType === 'room') - Number(a.sourceType === 'room'))
