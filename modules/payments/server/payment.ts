import { parseId, type Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { addFen, displayYuan, type Fen, sumFen } from '#kit/domain/money.ts'
import { Refused, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import {
  allocate,
  sortTenders,
  partialPaymentRefusal,
  payRefusal,
  roundOff,
  payableBills,
  type PayableBill,
} from '#modules/bills/server/public.ts'
import { offlineMethods } from '../contract/choices.ts'
import { payBills, payOrderOffline, quoteBills, type PayInput } from '../contract/payment.ts'
import { payMomentOf, payMomentRefusal } from '../domain/pay-moment.ts'
import { depositMixRefusal, depositPaymentRefusal } from '../domain/deposit-bills.ts'
import { resolvePayer } from '../domain/payer.ts'
import { keptMoney } from '../domain/tender-sums.ts'
import {
  billsAfterPayment,
  splitPayment,
  sumDue,
  type AmountDue,
  type BillDue,
  type PaymentSplit,
} from '../domain/payment-split.ts'
import { menu } from '../module.ts'
import { drawRecordId } from './record-key.ts'
import { lockReceivingDay } from './receiving-day.ts'
import { findOrder } from './order-lookup.ts'
import { lockOfflineOrder, markPaidOffline } from './order-offline.ts'
import { mainMethodOf, settle, type Tender } from './settlement.ts'
import { getPayRules, type PayRules } from './settings.ts'
import { tenderProviderOf } from './tenders.ts'

/**
 * Refuses unless an order or the cashier may take money for all of these bills: one project, none paid, none
 * held by another order (PAY-1).
 */
export function assertPayable(list: readonly PayableBill[], project: string, now: Moment, order?: Id): void {
  const foreign = list.find(s => s.row.projectCode !== project)
  if (foreign) refuse(`${foreign.row.sourceName} 的账单属于其他项目，请分开收款`)
  for (const { row } of list) {
    const refusal = payRefusal(row, now, order)
    if (refusal) refuse(`${row.sourceName} ${row.feeItemName}（${row.billNo}）：${refusal}`)
  }
  const mixed = depositMixRefusal(list.map(({ row }) => row))
  if (mixed) refuse(mixed)
}

/** PAY-1: what the screen showed must still be what is owed. */
export const assertSameAmount = (expected: Fen, due: AmountDue): void => {
  if (expected !== due.total)
    throw new Refused(
      resultCode.invalidInput,
      `金额已变化，请刷新：原为 ${displayYuan(expected)} 元，现为 ${displayYuan(due.total)} 元（本金 ${displayYuan(due.principal)}，违约金 ${displayYuan(due.late)}）`,
    )
}

const offlineMethodSet: ReadonlySet<string> = new Set(offlineMethods)

const methodFault = (message: string): Refused => invalidInput([{ Field: 'MethodJson', Message: message }])

/** PAY-2, PAY-15: only what is settled at once, prestore first. */
export function parseTenders(methods: PayInput['methods']): readonly Tender[] {
  const online = methods.find(m => !offlineMethodSet.has(m.method) && !tenderProviderOf(m.method))
  if (online) throw methodFault('线上支付请用扫码或 POS 发起，不能直接登记')
  const sorted = sortTenders(
    methods.map(m => ({ ...m, kind: m.method === 'prestore' ? ('prestore' as const) : ('money' as const) })),
    sumFen(methods.map(m => m.amount)),
  )
  if (typeof sorted === 'string') throw methodFault(sorted)
  return sorted.map(({ method, amount }) => ({ method, amount }))
}

const toBillDue = ({ row, owed }: PayableBill): BillDue => ({
  billId: row.id,
  principal: owed.principal,
  late: owed.late,
})

const sumTenders = (tenders: readonly Tender[]): Fen => sumFen(tenders.map(t => t.amount))

/** How the tenders meet the bills under the rules of the project (PAY-10 to PAY-15). */
function splitTenders(
  bills: readonly PayableBill[],
  tenders: readonly Tender[],
  rules: PayRules,
  input: PayInput,
): PaymentSplit {
  const { total } = sumDue(bills.map(b => b.owed))
  const split = splitPayment(
    bills.map(toBillDue),
    roundOff(total, input.roundOff ? rules.roundOff : 'none'),
    {
      tendered: sumTenders(tenders),
      cash: sumTenders(tenders.filter(t => t.method === 'cash')),
      keepsChange: input.excessToPrestore ?? false,
    },
    amount => {
      const refusal = partialPaymentRefusal(amount, total, rules.allowPartial)
      if (refusal) return refusal
      const { shares } = allocate(
        bills.map(b => b.owed),
        amount,
        rules.order,
      )
      return shares.map(s => ({ billId: s.id, principal: s.principal, late: s.late }))
    },
  )
  if (typeof split === 'string') throw methodFault(split)
  return split
}

function assertPayTime(scope: Scope, payTime: Moment | undefined, now: Moment, rules: PayRules): void {
  const refusal = payMomentRefusal(payTime, now, {
    maxDays: rules.backDateDays,
    isAllowed: hasPermission(scope, menu.cashier.permissions.backDate),
  })
  if (refusal) throw invalidInput([{ Field: 'PayTime', Message: refusal }])
}

/** C27-8: what a part of a deposit would leave could not be ended. */
function assertWholeDeposit(bills: readonly PayableBill[], remaining: Fen): void {
  const rows = bills.map(({ row }) => row)
  const refusal = depositPaymentRefusal(rows, { usesOwnMoney: false, remaining })
  if (refusal) refuse(refusal)
}

/** Sent before the bills are locked and answered in the same round trip. */
function sendAhead(tx: Tx, { ownerId }: Scope, { projectCode, payTime }: PayInput, now: Moment) {
  const pending = {
    time: lockReceivingDay(tx, ownerId, projectCode, payMomentOf(payTime, now), now),
    rules: getPayRules(tx, ownerId, projectCode),
    recordId: drawRecordId(tx),
  }
  for (const each of Object.values<Promise<unknown>>(pending)) {
    each.catch(() => {})
  }
  return pending
}

async function collectPayment(tx: Tx, scope: Scope, input: PayInput, now: Moment) {
  const lateFeeDay = dayOfMoment(input.payTime ?? now)
  const pending = sendAhead(tx, scope, input, now)
  const billIds = input.billIds.map(parseId)
  const order =
    input.orderNo === undefined ? undefined : await lockOfflineOrder(tx, scope, input.orderNo, billIds, now)
  const bills = await payableBills(tx, scope, billIds, lateFeeDay, { lock: true })
  const rules = await pending.rules
  assertPayTime(scope, input.payTime, now, rules)
  assertPayable(bills, input.projectCode, now, order?.id)
  assertSameAmount(input.expectAmount, sumDue(bills.map(b => b.owed)))
  if (input.roundOff && !hasPermission(scope, menu.cashier.permissions.roundOff))
    refuse('抹零需要「收银台·抹零」权限')
  const tenders = parseTenders(input.methods)
  const split = splitTenders(bills, tenders, rules, input)
  assertWholeDeposit(bills, split.remaining)
  if (order && split.remaining > 0) refuse('支付单要一次收清；只收一部分请取消支付单')
  const at = await pending.time
  const settled = await settle(tx, scope, {
    projectCode: input.projectCode,
    type: 'payment',
    bills,
    allocations: split.allocations,
    tenders,
    change: split.change,
    toPrestore: split.toPrestore,
    waiveRemainingLateFee: rules.waiveRemainingLateFee,
    payer: resolvePayer(bills, { kind: input.payerKind, id: input.payerId, name: input.payerName }),
    at,
    isDayOpen: true,
    recordId: await pending.recordId,
    order: order?.id,
    cashier: { id: scope.operatorId, name: scope.name },
    remark: input.remark,
  })
  if (order) {
    await markPaidOffline(tx, scope, order, {
      recordId: settled.recordId,
      method: mainMethodOf(tenders),
      at,
    })
  }
  return {
    ...settled,
    tendered: sumTenders(tenders),
    received: keptMoney(tenders, split.change),
    principal: sumFen(split.allocations.map(a => a.principal)),
    late: sumFen(split.allocations.map(a => a.late)),
    roundOff: split.roundedOff,
    change: split.change,
    toPrestore: split.toPrestore,
    ...billsAfterPayment(bills.map(toBillDue), split.allocations, rules.waiveRemainingLateFee),
  }
}

export const paymentHandlers = [
  reads(quoteBills, async ({ billIds, payDay }, { db, scope, today, now }) => {
    const bills = await payableBills(db, scope, billIds.map(parseId), payDay ?? today)
    const due = sumDue(bills.map(b => b.owed))
    const project = bills[0]?.row.projectCode
    const rules = project ? await getPayRules(db, scope.ownerId, project) : undefined
    const { pay, off: roundedOff } = roundOff(due.total, rules?.roundOff ?? 'none')
    return {
      ...due,
      roundOff: roundedOff,
      due: pay,
      rows: bills.map(b => ({
        ...toBillDue(b),
        total: addFen(b.owed.principal, b.owed.late),
        refusal: payRefusal(b.row, now),
      })),
    }
  }),
  writes(payOrderOffline, async ({ orderNo, ...tenders }, { tx, scope, now }) => {
    const { projectCode, amount, lines } = await findOrder(tx, scope, orderNo)
    const billIds = (lines ?? []).map(line => String(line.billId))
    const input = { projectCode, billIds, expectAmount: amount, orderNo, ...tenders }
    return collectPayment(tx, scope, input, now)
  }),
  writes(payBills, (input, { tx, scope, now }) => collectPayment(tx, scope, input, now)),
]
