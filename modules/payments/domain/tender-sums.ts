import {
  addFen,
  displayYuan,
  maxFen,
  minFen,
  negateFen,
  subtractFen,
  sumFen,
  type Fen,
} from '#kit/domain/money.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { offsetMethods, payMethod } from '../contract/choices.ts'

const offsets: ReadonlySet<string> = new Set(offsetMethods)

/** Whether a method settles without new money (ACC-7). */
export const isOffset = (method: ChoiceOf<typeof payMethod>): boolean => offsets.has(method)

/** What was laid on the counter, before the change. */
export const cashTendered = (tenders: readonly RecordTender[]): Fen =>
  sumFen(tenders.filter(t => t.method === 'cash').map(t => t.amount))

/** 实收: what stays of the tenders and is new money (C27-9). */
export const keptMoney = (tenders: readonly RecordTender[], change: Fen): Fen =>
  subtractFen(sumFen(tenders.filter(t => !isOffset(t.method)).map(t => t.amount)), change)

/** One way by which a record, or a part of it, was paid. */
export interface RecordTender {
  readonly method: ChoiceOf<typeof payMethod>
  readonly amount: Fen
}

/** What stays of each tender (C27-9): the change goes out of the cash. Lines of one method become one. */
export function keptTenders(tenders: readonly RecordTender[], change: Fen): readonly RecordTender[] {
  const kept = new Map<RecordTender['method'], Fen>()
  for (const { method, amount } of tenders) {
    kept.set(method, addFen(kept.get(method) ?? (method === 'cash' ? negateFen(change) : 0), amount))
  }
  return [...kept].map(([method, amount]) => ({ method, amount }))
}

/** The tender that brought, or took, most. */
export const mainTender = (tenders: readonly RecordTender[]): RecordTender | undefined =>
  tenders.reduce<RecordTender | undefined>(
    (main, tender) => (main && Math.abs(main.amount) >= Math.abs(tender.amount) ? main : tender),
    undefined,
  )

/** One method by its name, several each with its amount: 现金 60.00，银行转账 49.82. */
export function describeTenders(tenders: readonly RecordTender[]): string {
  const effective = tenders.filter(tender => tender.amount !== 0)
  return effective.length > 1
    ? effective.map(t => `${labelOf(payMethod, t.method)} ${displayYuan(t.amount)}`).join('，')
    : (effective.length ? effective : tenders).map(t => labelOf(payMethod, t.method)).join('')
}

/** What is asked for after rounding off: `pay` + `off` = what the bills owe; fen (PAY-14). */
export interface RoundedDue {
  readonly pay: Fen
  readonly off: Fen
}

/** What the payer hands over, fen. `cash` is the part of `tendered` from which change can be given. */
export interface TenderedMoney {
  readonly tendered: Fen
  readonly cash: Fen
  /** The payer leaves the excess as prestore instead of taking change. */
  readonly keepsChange: boolean
}

/** Fen; `change` and `toPrestore` are never both positive, and none is positive beside a shortfall. */
export interface TenderOutcome {
  readonly change: Fen
  readonly toPrestore: Fen
  readonly shortfall: Fen
  /** What is let off: nothing of a partial payment. */
  readonly roundedOff: Fen
  /** What the bills still owe afterwards. */
  readonly remaining: Fen
}

/**
 * What becomes of money beyond or short of what is due: an excess is given back where the cash covers it and
 * the payer wants it, otherwise it is kept as prestore (PAY-13); a partial payment is not rounded off
 * (PAY-12, PAY-14). T-PAY-05: 618.00 of 700.00 in cash → change 82.00 or prestore 82.00.
 */
export function judgeTender(due: RoundedDue, money: TenderedMoney): TenderOutcome {
  const excess = maxFen(0, subtractFen(money.tendered, due.pay))
  const shortfall = maxFen(0, subtractFen(due.pay, money.tendered))
  const isGivenBack = money.cash >= excess && !money.keepsChange
  return {
    change: isGivenBack ? excess : 0,
    toPrestore: isGivenBack ? 0 : excess,
    shortfall,
    roundedOff: shortfall ? 0 : due.off,
    remaining: shortfall ? subtractFen(addFen(due.pay, due.off), money.tendered) : 0,
  }
}

export interface CounterTender {
  readonly amount: Fen
  readonly isCash: boolean
}

/** What the cashier has chosen and typed so far, fen. */
export interface CounterInput {
  readonly due: RoundedDue
  /** What may be used of the prestore; 0 where it is not to be used. */
  readonly prestoreBalance: Fen
  /** Further methods of a mixed payment (PAY-15). */
  readonly others: readonly CounterTender[]
  /** What is paid by the main method; absent: exactly what the other lines leave open. */
  readonly received?: Fen | undefined
  readonly isCash: boolean
  readonly keepsChange: boolean
}

export interface CounterSums extends TenderOutcome {
  readonly prestore: Fen
  /** What the main method has to bring. */
  readonly open: Fen
  readonly received: Fen
  readonly tendered: Fen
  /** `change` + `toPrestore`. */
  readonly excess: Fen
  /** The cash covers the excess: the payer may choose between change and prestore. */
  readonly canGiveChange: boolean
  /** What the bills get of it. */
  readonly applied: Fen
}

/**
 * The sums of a payment at the counter: prestore first, at most what is due (PAY-15), then the other methods,
 * the rest by the main one.
 */
export function sumCounterTenders(input: CounterInput): CounterSums {
  const prestore = minFen(input.prestoreBalance, input.due.pay)
  const otherSum = sumFen(input.others.map(tender => tender.amount))
  const remaining = maxFen(0, subtractFen(input.due.pay, prestore, otherSum))
  const received = input.received ?? remaining
  const otherCash = sumFen(input.others.filter(tender => tender.isCash).map(tender => tender.amount))
  const cash = input.isCash ? addFen(otherCash, received) : otherCash
  const tendered = addFen(prestore, otherSum, received)
  const outcome = judgeTender(input.due, { tendered, cash, keepsChange: input.keepsChange })
  return {
    ...outcome,
    prestore,
    open: remaining,
    received,
    tendered,
    excess: addFen(outcome.change, outcome.toPrestore),
    canGiveChange: cash >= outcome.change + outcome.toPrestore,
    applied: minFen(tendered, input.due.pay),
  }
}
