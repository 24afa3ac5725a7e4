import { defined } from '#kit/domain/defined.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { isRegisterRollover, modulusOf, registersRefusal } from '../domain/usage.ts'
import type { BookMeter, BookReading, ReadingRegisters } from './meter-history.ts'

type Register = NonNullable<ReadingRegisters>[number]

/** The registers of the newest of the readings that has any, by name. */
export const findNewestRegisters = (rows: readonly BookReading[]): ReadonlyMap<string, Register> =>
  new Map(rows.findLast(r => r.registers?.length)?.registers?.map(x => [x.name, x]))

/**
 * MTR-15: each register goes on from the newest reading before that has it. One that none has keeps its own
 * `last` where all registers add up with the counter; otherwise it has no base and what it shows is no usage
 * (MTR-4). Returns whether the registers alone give the usage: after a reading without them the counter does.
 */
export function linkRegisters(meter: BookMeter, index: number, last: Decimal): boolean {
  const reading = defined(meter.rows[index])
  const before = meter.rows[index - 1]
  const ownRegisters = reading.registers ?? []
  const previousRegisters = findNewestRegisters(meter.rows.slice(0, index))
  const linked = ownRegisters.map(x => ({ ...x, last: previousRegisters.get(x.name)?.current ?? x.last }))
  const hasBase =
    ownRegisters.every(x => previousRegisters.has(x.name)) ||
    checkRegisters(meter, linked, reading, last) === undefined
  reading.registers = hasBase
    ? linked
    : linked.map(x => (previousRegisters.has(x.name) ? x : { ...x, last: x.current }))
  return hasBase && (!before || Boolean(before.registers?.length))
}

function checkRegisters(
  meter: BookMeter,
  registers: readonly Register[],
  reading: Pick<BookReading, 'curNum' | 'isRollover'>,
  last: Decimal,
  afterEstimate?: boolean,
): string | undefined {
  const modulus = modulusOf(meter.meter)
  const shared = { modulus, afterEstimate }
  try {
    return registersRefusal(
      registers.map(register => ({
        ...shared,
        last: register.last,
        current: register.current,
        rollover: isRegisterRollover(register.last, register.current, modulus, reading.isRollover),
      })),
      { ...shared, last, current: reading.curNum, rollover: reading.isRollover },
      meter.meter.decimals,
    )
  } catch (e) {
    if (e instanceof RangeError) return e.message
    throw e
  }
}

/**
 * Registers that go on from the reading right before must agree with the counter: otherwise part of it would
 * be billed at no register's price, or twice. Returns why they do not.
 */
export function checkRegisterSum(meter: BookMeter, index: number): string | undefined {
  const reading = defined(meter.rows[index])
  const before = meter.rows[index - 1]
  const namesBefore = new Set(before?.registers?.map(x => x.name))
  const goesOn = reading.registers?.length && reading.registers.every(x => namesBefore.has(x.name))
  return before && goesOn
    ? checkRegisters(meter, defined(reading.registers), reading, before.curNum, before.isEstimate)
    : undefined
}
