import { defined } from '#kit/domain/defined.ts'
import { add, compare, sub, sum, type Decimal } from '#kit/domain/decimal.ts'
import type { Reading } from './standard.ts'

export interface RegisterUsage {
  readonly name: string
  readonly last: Decimal
  readonly current: Decimal
  readonly usage: Decimal
  readonly price?: Decimal | undefined
}

/**
 * What a reading by time of use bills, register by register (MTR-15); nothing where no register has a price
 * of its own. What the reading counts beyond them (a loss, an old meter's part) goes by the standard's price;
 * what an estimate before had too much is taken off the dearest first (MTR-13).
 */
export function splitByRegister({
  registers = [],
  usage,
  last = '0',
  current,
}: Reading): RegisterUsage[] | undefined {
  if (usage === undefined || !registers.some(x => compare(x.price, '0') > 0)) return undefined
  const usages = registers.map((register): RegisterUsage => ({
    name: register.name,
    last: register.last,
    current: register.current,
    usage: register.usage,
    price: compare(register.price, '0') > 0 ? register.price : undefined,
  }))
  let remainder = sub(usage, sum(usages.map(x => x.usage)))
  if (compare(remainder, '0') > 0) return [...usages, { name: '其他', last, current, usage: remainder }]
  const remainingUsage = new Map(usages.map(x => [x, x.usage]))
  for (const x of usages.toSorted((a, b) => compare(b.price ?? '0', a.price ?? '0'))) {
    const off = compare(add(x.usage, remainder), '0') < 0 ? sub('0', x.usage) : remainder
    remainingUsage.set(x, add(x.usage, off))
    remainder = sub(remainder, off)
  }
  return usages
    .map(x => ({ ...x, usage: defined(remainingUsage.get(x)) }))
    .filter(x => compare(x.usage, '0') > 0)
}
