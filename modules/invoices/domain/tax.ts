import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { add, compare, div, fromFen, mul, toFen, type Decimal } from '#kit/domain/decimal.ts'
import { addFen, negateFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { InvoiceLine } from '../contract/record.ts'

/**
 * INV-3: what is paid holds its tax. net = round(total ÷ (1 + rate)), tax = total − net; T-INV-02: 1684.00 at
 * 6 % → 1588.68 + 95.32.
 */
export function splitTax(total: Fen, rate: Decimal): { readonly net: Fen; readonly tax: Fen } {
  const net = toFen(div(fromFen(total), add('1', rate), 2))
  return { net, tax: subtractFen(total, net) }
}

/** `0.06` → `6%` */
export const formatRate = (rate: Decimal): string => `${mul(rate, '100')}%`

export interface Good {
  readonly id: Id
  readonly goodName: string
  readonly shortName?: string | undefined
  readonly taxCode: string
  readonly unit?: string | undefined
  readonly isNoTax: boolean
  readonly taxRate: Decimal
}

export interface InvoicePiece {
  readonly good: Good
  readonly rate: Decimal
  readonly amount: Fen
  readonly begin?: string | undefined
  readonly end?: string | undefined
}

/** INV-1: pieces of one good and rate become one line; the tax is split per line, then summed (INV-3). */
export function toInvoiceLines(pieces: readonly InvoicePiece[]): InvoiceLine[] {
  return [...Map.groupBy(pieces, p => `${p.good.id}/${p.rate}`).values()].map(list => {
    const { good, rate } = defined(list[0])
    const amount = sumFen(list.map(p => p.amount))
    const { net, tax } = splitTax(amount, rate)
    const days = list.flatMap(p => (p.begin && p.end ? [p.begin, p.end] : [])).toSorted()
    return {
      goodId: good.id,
      goodName: good.goodName,
      ...(good.shortName ? { shortName: good.shortName } : {}),
      taxCode: good.taxCode,
      ...(good.unit ? { unit: good.unit } : {}),
      isNoTax: good.isNoTax,
      taxRate: rate,
      amount,
      net,
      tax,
      ...(days.length ? { periods: `${days[0]} 至 ${days.at(-1)}` } : {}),
    }
  })
}

export const sumLines = (
  lines: readonly Pick<InvoiceLine, 'amount' | 'net' | 'tax'>[],
): { readonly totalAmount: Fen; readonly netAmount: Fen; readonly taxAmount: Fen } => ({
  totalAmount: sumFen(lines.map(l => l.amount)),
  netAmount: sumFen(lines.map(l => l.net)),
  taxAmount: sumFen(lines.map(l => l.tax)),
})

/** A part of a blue invoice: how much of it red ones have taken back, and how much is taken back now. */
export interface RedPortion {
  readonly goodName: string
  readonly taxRate: Decimal
  readonly redAmount: Fen
  readonly now: Fen
  readonly beginDate?: string | undefined
  readonly endDate?: string | undefined
}

/**
 * INV-5: the blue lines in red, as far as their parts go back now. Net and tax are what the line's split
 * grows by: all red ones together give back to the fen what the blue one had (INV-3).
 */
export function toRedLines(lines: readonly InvoiceLine[], parts: readonly RedPortion[]): InvoiceLine[] {
  return lines.flatMap(({ periods: _periods, ...line }) => {
    const lineParts = parts.filter(
      p => p.goodName === line.goodName && compare(p.taxRate, line.taxRate) === 0,
    )
    const alreadyRed = sumFen(lineParts.map(p => p.redAmount))
    const amount = sumFen(lineParts.map(p => p.now))
    if (amount === 0) return []
    const from = splitTax(alreadyRed, line.taxRate)
    const to = splitTax(addFen(alreadyRed, amount), line.taxRate)
    const days = lineParts
      .flatMap(p => (p.now && p.beginDate && p.endDate ? [p.beginDate, p.endDate] : []))
      .toSorted()
    return [
      {
        ...line,
        amount: negateFen(amount),
        net: negateFen(subtractFen(to.net, from.net)),
        tax: negateFen(subtractFen(to.tax, from.tax)),
        ...(days.length ? { periods: `${days[0]} 至 ${days.at(-1)}` } : {}),
      },
    ]
  })
}
