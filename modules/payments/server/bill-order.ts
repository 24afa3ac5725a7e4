import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { holdBills, payableBills } from '#modules/bills/server/public.ts'
import { describeSources } from '../domain/bill-sources.ts'
import { payOrder, type PayOrder } from '../contract/order.ts'
import { prepaidOrderRef } from '../domain/order.ts'
import { sumDue } from '../domain/payment-split.ts'
import { bookOrder } from './order-booking.ts'
import { buildNewOrderFields } from './order-subjects.ts'
import { resolvePayer, type Payer } from '../domain/payer.ts'
import { assertPayable, assertSameAmount } from './payment.ts'

const maxBills = 500

export interface BillOrderInput {
  readonly projectCode: string
  readonly billIds: readonly Id[]
  /** What the screen showed; absent where no screen has (PAY-1). */
  readonly expectAmount?: Fen
  readonly payer: Payer
  readonly remark?: string | undefined
  /** What of another module the bills are for. */
  readonly ref?: { readonly type: string; readonly id: Id }
}

const describeItems = (names: readonly string[], count: number): string => {
  const kinds = [...new Set(names)]
  return `${kinds.slice(0, 2).join('、')}${kinds.length > 2 || count > kinds.length ? `等 ${count} 笔` : ''}`.slice(
    0,
    200,
  )
}

/**
 * PAY-1: an order that holds its bills. The caller has locked today. One that consists of prepaid bills alone
 * takes them with it when it ends without payment (TMP-2).
 */
export async function openBillOrder(
  { tx, scope, now, today }: Pick<WriteContext, 'tx' | 'scope' | 'now' | 'today'>,
  input: BillOrderInput,
): Promise<PayOrder> {
  if (input.billIds.length > maxBills) refuse(`一次最多收 ${maxBills} 张账单，请减少周期或分开办理`)
  const bills = await payableBills(tx, scope, input.billIds, today, { lock: true })
  const due = sumDue(bills.map(s => s.owed))
  assertPayable(bills, input.projectCode, now)
  if (input.expectAmount !== undefined) {
    assertSameAmount(input.expectAmount, due)
  }
  const payer = resolvePayer(bills, input.payer)
  const company = await tx.one<{ name: string }>(
    sql`select company_name as name from property where owner_id = ${scope.ownerId}`,
  )
  const newFields = await buildNewOrderFields(tx, scope, 'bill', now)
  const order = await insert(tx, payOrder, scope, {
    ...newFields,
    projectCode: input.projectCode,
    orderType: 'bill',
    amount: due.total,
    orderObj: describeSources(bills.map(b => b.row.sourceName)),
    orderBody: describeItems(
      bills.map(s => s.row.feeItemName),
      bills.length,
    ),
    orderMain: company?.name ?? '',
    payerKind: payer.kind,
    payerId: payer.id,
    payerName: payer.name,
    ...(input.ref ? { refType: input.ref.type, refId: input.ref.id } : {}),
    ...(bills.every(s => s.row.isPre) ? { refType: prepaidOrderRef } : {}),
    lines: bills.map(s => ({ billId: s.row.id, principal: s.owed.principal, late: s.owed.late })),
    remark: input.remark,
    state: 'waiting',
  })
  await holdBills(tx, scope, bills, order.id, newFields.expireTime, now)
  // PAY-7: nothing to pay is settled at once and seen by no channel.
  if (due.total === 0) {
    await bookOrder(tx, scope, order, bills, undefined, now)
  }
  return requireById(tx, payOrder, scope, order.id)
}
