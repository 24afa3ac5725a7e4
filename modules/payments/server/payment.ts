import { addDays } from '#kit/domain/day.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { Refused, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import {
  allocate,
  sortTenders,
  splitOverpayment,
  partialPaymentRefusal,
  payRefusal,
  roundOff,
  payableBills,
  type PayableBill,
  type Allocation,
} from '#modules/bills/server/public.ts'
import { offlineMethods } from '../contract/choices.ts'
import { payBills, quoteBills, type PayInput } from '../contract/payment.ts'
import { menu } from '../module.ts'
import { lockDays, settle, type Payer, type Tender } from './settlement.ts'
import { getPayRules, type PayRules } from './settings.ts'
import { tenderProviderOf } from './tenders.ts'

export interface AmountDue {
  readonly principal: Fen
  readonly late: Fen
  readonly total: Fen
}

export const sumDue = (list: readonly PayableBill[]): AmountDue => {
  const principal = sumFen(list.map(s => s.owed.principal))
  const late = sumFen(list.map(s => s.owed.late))
  return { principal, late, total: principal + late }
}

/** Who pays, when the till did not say: the bills' payer, where they have one alone. */
export const resolvePayer = (list: readonly PayableBill[], said: Payer): Payer => {
  if (said.name || said.id) return said
  const [first, ...rest] = [
    ...new Map(list.map(({ row }) => [`${row.payerKind}/${row.payerId}/${row.payerName}`, row])).values(),
  ]
  return first && !rest.length
    ? { kind: first.payerKind, id: first.payerId, name: first.payerName }
    : { name: first?.payerName }
}

/**
 * Bills that an order or the till may take money for: one project, none paid, none held (PAY-1). Refuses with
 * the first that cannot.
 */
export function assertPayable(
  list: readonly PayableBill[],
  project: string,
  now: Moment,
  order?: number,
): void {
  const foreign = list.find(s => s.row.projectCode !== project)
  if (foreign) refuse(`${foreign.row.sourceName} 的账单属于其他项目，请分开收款`)
  for (const { row } of list) {
    const no = payRefusal(row, now, order)
    if (no) refuse(`${row.sourceName} ${row.feeItemName}（${row.billNo}）：${no}`)
  }
}

/** PAY-1: what the till showed must still be what is owed. */
export const assertSameAmount = (expected: Fen, due: AmountDue): void => {
  if (expected !== due.total)
    throw new Refused(
      resultCode.invalidInput,
      `金额已变化，请刷新：原为 ${formatYuan(expected)} 元，现为 ${formatYuan(due.total)} 元（本金 ${formatYuan(due.principal)}，违约金 ${formatYuan(due.late)}）`,
    )
}

export interface PaymentSplit {
  readonly allocations: readonly Allocation[]
  readonly change: Fen
  readonly toPrestore: Fen
  readonly roundedOff: Fen
  readonly remaining: Fen
}

/**
 * How money meets ticked bills: rounding off on the last bill, change or prestore of what is too much, the
 * project's order of what is too little (PAY-10 to PAY-15).
 */
export function splitPayment(
  list: readonly PayableBill[],
  tendered: Fen,
  cash: Fen,
  rules: Pick<PayRules, 'order' | 'allowPartial' | 'roundOff'>,
  how: { readonly roundOff: boolean; readonly keep: boolean },
): PaymentSplit | string {
  const due = sumDue(list)
  const { pay, off } = roundOff(due.total, how.roundOff ? rules.roundOff : 'none')
  if (tendered < pay) {
    const no = partialPaymentRefusal(tendered, due.total, rules.allowPartial)
    if (no) return no
    const { shares } = allocate(
      list.map(s => s.owed),
      tendered,
      rules.order,
    )
    return {
      allocations: shares.map(s => ({ billId: s.id, principal: s.principal, late: s.late })),
      change: 0,
      toPrestore: 0,
      roundedOff: 0,
      remaining: due.total - tendered,
    }
  }
  const over = splitOverpayment(pay, tendered, cash >= tendered - pay ? 'cash' : 'other', how.keep)
  const takes = list
    .map(s => ({ billId: s.row.id, principal: s.owed.principal, late: s.owed.late, off: 0 }))
    .filter(t => t.principal + t.late > 0)
  // The odd sum is let off of the last bills' principal, from the back (PAY-14).
  let rest = off
  for (let i = takes.length - 1; i >= 0 && rest > 0; i--) {
    const x = Math.min(rest, takes[i]!.principal)
    takes[i]!.principal -= x
    takes[i]!.off = x
    rest -= x
  }
  return rest > 0
    ? '抹零金额大于本金，请取消抹零'
    : { allocations: takes, ...over, roundedOff: off, remaining: 0 }
}

/** PAY-9: a moment in the past within so many days, never in the future. */
export function resolvePayMoment(
  said: Moment | undefined,
  now: Moment,
  days: number,
  mayBackDate: boolean,
): Moment {
  if (said === undefined || dayOfMoment(said) === dayOfMoment(now))
    return said !== undefined && said <= now ? said : now
  if (said > now) throw invalidInput([{ Field: 'PayTime', Message: '缴费时间不能晚于现在' }])
  if (!mayBackDate)
    throw invalidInput([{ Field: 'PayTime', Message: '补录以前的收款需要「收银台·补录日期」权限' }])
  const first = addDays(dayOfMoment(now), -days)
  if (dayOfMoment(said) < first)
    throw invalidInput([
      { Field: 'PayTime', Message: `最多补录 ${days} 天内的收款，请填写 ${first} 或之后的日期` },
    ])
  return said
}

const offlineMethodSet: ReadonlySet<string> = new Set(offlineMethods)

export function parseTenders(methods: PayInput['methods']): readonly Tender[] {
  const strange = methods.find(m => !offlineMethodSet.has(m.method) && !tenderProviderOf(m.method))
  if (strange)
    throw invalidInput([{ Field: 'MethodJson', Message: '线上支付请用扫码或 POS 发起，不能直接登记' }])
  const sorted = sortTenders(
    methods.map(m => ({ ...m, kind: m.method === 'prestore' ? ('prestore' as const) : ('money' as const) })),
    sumFen(methods.map(m => m.amount)),
  )
  if (typeof sorted === 'string') throw invalidInput([{ Field: 'MethodJson', Message: sorted }])
  return sorted.map(({ method, amount }) => ({ method, amount }))
}

async function collectPayment(tx: Tx, scope: Scope, input: PayInput, now: Moment) {
  // Two statements, on their way while the bills are locked.
  const day = lockDays(tx, scope.ownerId, input.projectCode, [dayOfMoment(input.payTime ?? now)])
  const asked = getPayRules(tx, scope.ownerId, input.projectCode)
  day.catch(() => {})
  asked.catch(() => {})
  const list = await payableBills(
    tx,
    scope,
    input.billIds.map(Number),
    dayOfMoment(input.payTime ?? now),
    true,
  )
  const rules = await asked
  const at = resolvePayMoment(
    input.payTime,
    now,
    rules.backDateDays,
    hasPermission(scope, menu.cashier.permissions.backDate),
  )
  assertPayable(list, input.projectCode, now)
  assertSameAmount(input.expectAmount, sumDue(list))
  if (input.roundOff && !hasPermission(scope, menu.cashier.permissions.roundOff))
    refuse('抹零需要「收银台·抹零」权限')
  const tenders = parseTenders(input.methods)
  const sum = sumFen(tenders.map(t => t.amount))
  const cash = sumFen(tenders.filter(t => t.method === 'cash').map(t => t.amount))
  const split = splitPayment(list, sum, cash, rules, {
    roundOff: input.roundOff ?? false,
    keep: input.keep ?? false,
  })
  if (typeof split === 'string') throw invalidInput([{ Field: 'MethodJson', Message: split }])
  const done = await settle(tx, scope, {
    projectCode: input.projectCode,
    type: 'payment',
    bills: list,
    allocations: split.allocations,
    tenders,
    change: split.change,
    toPrestore: split.toPrestore,
    waiveRemainingLateFee: rules.waiveRemainingLateFee,
    payer: resolvePayer(list, { kind: input.payerKind, id: input.payerId, name: input.payerName }),
    at,
    cashier: { id: scope.operatorId, name: scope.name },
    remark: input.remark,
  })
  return {
    ...done,
    received: sum,
    principal: sumFen(split.allocations.map(t => t.principal)),
    late: sumFen(split.allocations.map(t => t.late)),
    roundOff: split.roundedOff,
    change: split.change,
    toPrestore: split.toPrestore,
    left: split.remaining,
  }
}

export const paymentHandlers = [
  reads(quoteBills, async ({ billIds, payDay }, { db, scope, today, now }) => {
    const list = await payableBills(db, scope, billIds.map(Number), payDay ?? today)
    const due = sumDue(list)
    const project = list[0]?.row.projectCode
    const rules = project ? await getPayRules(db, scope.ownerId, project) : undefined
    const off = rules ? roundOff(due.total, rules.roundOff).off : 0
    return {
      ...due,
      roundOff: off,
      due: due.total - off,
      rows: list.map(s => ({
        billId: s.row.id,
        principal: s.owed.principal,
        late: s.owed.late,
        total: s.owed.principal + s.owed.late,
        refusal: payRefusal(s.row, now),
      })),
    }
  }),
  writes(payBills, (input, { tx, scope, now }) => collectPayment(tx, scope, input, now)),
]
