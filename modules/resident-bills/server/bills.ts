import { daysBetween } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, sumFen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { findBillSubjects, payableBills, payRefusal, type PayableBill } from '#modules/bills/server/public.ts'
import { isDepositBill, isSelectedByDefault } from '#modules/payments/server/public.ts'
import { maskName } from '#modules/residents/server/public.ts'
import { listResidentBills, maxBillsOnPhone } from '../contract/bills.ts'
import {
  billsOfHome,
  inCompanyOf,
  isOwed,
  placeOf,
  readViewer,
  type BillContext,
  type Viewer,
} from './home-bills.ts'
import { findOpenOrders, findUndecidedBills, payRefusalOf, undecidedRefusal } from './orders.ts'
import { findPaid } from './receipts.ts'

/** More are not read: nobody owes as many on one home. */
const maxOwed = 5000

/** The bills of a home that are owed, the oldest first. */
export async function findOwedIds(db: Db, viewer: Viewer): Promise<readonly Id[]> {
  const rows = await db.rows<{ id: Id }>(sql`
    select b.id
    from bill b
    where ${await billsOfHome(db, viewer)} and ${isOwed}
    order by b.due_date, b.id
    limit ${sql.lit(maxOwed)}
  `)
  return rows.map(({ id }) => id)
}

interface LineContext extends BillContext {
  /** Deposits are not selected by default beside fees (C27-8). */
  readonly isFeeDue: boolean
  readonly undecided: ReadonlySet<Id>
  readonly subjects: ReadonlyMap<Id, string>
}

function toLine({ row, owed }: PayableBill, c: LineContext) {
  const { now, today, isFeeDue, undecided, subjects } = c
  const refusal = payRefusal(row, now) ?? (undecided.has(row.id) ? undecidedRefusal : undefined)
  const isDeposit = isDepositBill(row)
  return {
    billId: row.id,
    feeItemName: row.feeItemName,
    subject: subjects.get(row.id),
    sourceName: row.sourceName,
    beginDate: row.beginDate,
    endDate: row.endDate,
    dueDate: row.dueDate,
    overdueDays: Math.max(0, daysBetween(row.dueDate, today)),
    principal: owed.principal,
    late: owed.late,
    total: addFen(owed.principal, owed.late),
    payerName: row.payerName && maskName(row.payerName),
    isSelected: refusal === undefined && isSelectedByDefault(row, today) && !(isFeeDue && isDeposit),
    isDeposit,
    refusal,
  }
}

async function readBills(c: BillContext, viewer: Viewer) {
  const { tx, scope, today } = c
  const bills = await payableBills(tx, scope, await findOwedIds(tx, viewer), today)
  const isFeeDue = bills.some(({ row }) => !isDepositBill(row) && isSelectedByDefault(row, today))
  const shown = bills.slice(0, maxBillsOnPhone)
  const undecided = await findUndecidedBills(c, bills)
  const subjects = await findBillSubjects(
    tx,
    scope,
    shown.map(({ row }) => row),
  )
  return {
    ...placeOf(viewer),
    bills: shown.map(each => toLine(each, { ...c, isFeeDue, undecided, subjects })),
    owedCount: bills.length,
    owedTotal: sumFen(bills.flatMap(({ owed }) => [owed.principal, owed.late])),
    payRefusal: await payRefusalOf(tx, scope.ownerId),
    openOrders: await findOpenOrders(c, viewer),
    paid: await findPaid(c, viewer),
  }
}

export const billHandlers = [
  anonymous(listResidentBills, async (input, { app }) => {
    const viewer = await readViewer(app, input)
    return inCompanyOf(app, viewer, c => readBills(c, viewer))
  }),
]
