import { addFen, maxFen, minFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'

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
