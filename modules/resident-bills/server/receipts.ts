import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, parseYuan, subtractFen, sumFen } from '#kit/domain/money.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { recordState, recordType } from '#modules/payments/contract/choices.ts'
import { payDetail, payRecord } from '#modules/payments/contract/record.ts'
import { findCompanyName } from '#modules/resident-page/server/public.ts'
import { maskName } from '#modules/residents/server/public.ts'
import { getResidentReceipt, type ResidentBills } from '../contract/bills.ts'
import { billsOfHome, inCompanyOf, placeOf, readViewer, type BillContext, type Viewer } from './home-bills.ts'

const shownPayments = 30

/** Details `d` of payments `r` that stand, for bills `b` of the home. */
const paymentsOfHome = (ownerId: Id, bills: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  from bill b
  join pay_detail d on d.owner_id = ${ownerId} and d.bill_id = b.id and ${notDeleted('d')}
  join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id and ${notDeleted('r')}
  where ${bills}
    and r.record_type in ${codes(recordType, 'payment', 'deduction')}
    and r.state <> ${code(recordState, 'voided')}
`

interface PaidRow {
  readonly recordId: Id
  readonly amount: string
  readonly itemNames: string
}

/** What was paid for the home, the newest first: of a payment for several homes this one's part alone. */
export async function findPaid({ tx, scope }: BillContext, viewer: Viewer): Promise<ResidentBills['paid']> {
  const rows = await tx.rows<PaidRow>(sql`
    select d.record_id,
      sum(d.principal + d.late_fee - d.refunded_principal - d.refunded_late_fee)::text as amount,
      string_agg(distinct d.fee_item_name, '、') as item_names
    ${paymentsOfHome(scope.ownerId, await billsOfHome(tx, viewer))}
    group by d.record_id
    order by max(r.pay_time) desc, d.record_id desc
    limit ${sql.lit(shownPayments)}
  `)
  const records = await findByIds(
    tx,
    payRecord,
    scope,
    rows.map(row => row.recordId),
  )
  const recordById = new Map(records.map(record => [record.id, record]))
  return rows.map(({ recordId, amount, itemNames }) => {
    const { receiptNo, payTime, payMethod: method, state } = defined(recordById.get(recordId))
    return { recordId, receiptNo, payTime, method, state, amount: parseYuan(amount), itemNames }
  })
}

async function readReceipt({ tx, scope }: BillContext, viewer: Viewer, recordId: Id) {
  const { ownerId } = scope
  const found = await tx.rows<{ id: Id }>(sql`
    select d.id
    ${paymentsOfHome(ownerId, await billsOfHome(tx, viewer))} and r.id = ${recordId}
    order by d.id
  `)
  const [record] = found.length ? await findByIds(tx, payRecord, scope, [recordId]) : []
  if (!record) throw notFound()
  const details = await findByIds(
    tx,
    payDetail,
    scope,
    found.map(({ id }) => id),
  )
  const paid = sumFen(details.map(({ principal, lateFee }) => addFen(principal, lateFee)))
  const refunded = sumFen(details.map(each => addFen(each.refundedPrincipal, each.refundedLateFee)))
  return {
    ...placeOf(viewer),
    companyName: await findCompanyName(tx, ownerId),
    recordNo: record.recordNo,
    receiptNo: record.receiptNo,
    payTime: record.payTime,
    method: record.payMethod,
    state: record.state,
    payerName: record.payerName && maskName(record.payerName),
    amount: subtractFen(paid, refunded),
    refunded,
    details: details.map(({ feeItemName, sourceName, beginDate, endDate, principal, lateFee }) => ({
      feeItemName,
      sourceName,
      beginDate,
      endDate,
      principal,
      late: lateFee,
    })),
  }
}

export const receiptHandlers = [
  anonymous(getResidentReceipt, async ({ recordId, ...input }, { app }) => {
    const viewer = await readViewer(app, input)
    return inCompanyOf(app, viewer, c => readReceipt(c, viewer, recordId))
  }),
]
