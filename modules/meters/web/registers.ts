import { defined } from '#kit/domain/defined.ts'
import type { Day, Decimal } from '#kit/contract/field.ts'
import { compare, mul, sum } from '#kit/domain/decimal.ts'
import { dayTimes } from '../contract/choices.ts'
import type { MeterMonth } from '../contract/month-grid.ts'
import { readingRefusal, isRegisterRollover, registersRefusal, computeUsage } from '../domain/usage.ts'
import { previewEntry, parseTypedNumber, type EntryPreview } from './entry-preview.ts'

/**
 * One register of the form (MTR-15). `known`: it goes on from an earlier reading, so that only its current
 * number is entered.
 */
export interface RegisterBox {
  readonly name: string
  readonly last: string
  readonly text: string
  readonly price: string
  readonly known: boolean
}

export interface RegisterInput {
  readonly name: string
  readonly last: Decimal
  readonly current: Decimal
  readonly price: Decimal
}

export interface RegisterCheck {
  /** The registers to send; absent until each has a number. */
  readonly sent?: readonly RegisterInput[]
  /** Usage of each box before the multiplier, in their order. */
  readonly used: readonly (Decimal | undefined)[]
  readonly fault?: string
  /** Names of the registers that still need a number. */
  readonly lacks?: string
  /** A note on a value that may be saved nevertheless. */
  readonly hint?: string
}

export const toRegisterBoxes = (plan: Pick<MeterMonth, 'registers'>): readonly RegisterBox[] =>
  (plan.registers ?? []).map(register => ({
    name: register.name,
    last: register.last,
    text: register.current ?? '',
    price: register.price,
    known: true,
  }))

/** The four usual registers for a meter without any; those left empty are not saved. */
export const createRegisterBoxes = (): readonly RegisterBox[] =>
  Object.values(dayTimes).map(name => ({ name, last: '', text: '', price: '', known: false }))

/**
 * The last reading had registers and this month has none yet: the total alone would be billed at no
 * register's price.
 */
export const needsRegisters = (p: Pick<MeterMonth, 'registers' | 'readingId'>): boolean =>
  p.registers !== undefined &&
  p.registers.length > 0 &&
  (p.readingId === undefined || p.registers.some(x => x.current !== undefined))

type RegisterMeter = Pick<MeterMonth, 'before' | 'digits' | 'decimals' | 'afterEstimate' | 'registersGoOn'>

/** Checks the registers against the total, by the server's own rules. */
export function checkRegisters(
  meter: RegisterMeter,
  boxes: readonly RegisterBox[],
  total: Decimal | undefined,
  rollover: boolean,
): RegisterCheck {
  const modulus = meter.digits === undefined ? undefined : `1${'0'.repeat(meter.digits)}`
  const filled = boxes.filter(b => b.text.trim() !== '')
  const used: (Decimal | undefined)[] = boxes.map(() => undefined)
  const base = { modulus, afterEstimate: meter.afterEstimate }
  const sent: RegisterInput[] = []
  for (const box of filled) {
    const current = parseTypedNumber(box.text)
    const last = box.last.trim() === '' ? '0' : parseTypedNumber(box.last)
    const price = box.price.trim() === '' ? '0' : parseTypedNumber(box.price)
    if (current === undefined || last === undefined || price === undefined)
      return { used, fault: `时段「${box.name}」请填写数字` }
    const shows = readingRefusal(current, modulus, meter.decimals)
    if (shows) return { used, fault: `时段「${box.name}」${shows}` }
    const rolls = isRegisterRollover(last, current, modulus, rollover)
    try {
      used[boxes.indexOf(box)] = computeUsage({ ...base, last, current, multiplier: '1', rollover: rolls })
    } catch (e) {
      if (e instanceof RangeError) return { used, fault: `时段「${box.name}」小于上期 ${last}，请核对` }
      throw e
    }
    sent.push({ name: box.name, last, current, price })
  }
  const lacks = boxes
    .filter(b => b.known && b.text.trim() === '')
    .map(b => b.name)
    .join('、')
  if (!sent.length || lacks) return { used, ...(lacks ? { lacks } : {}) }
  if (total === undefined || meter.before === undefined) return { used, sent }
  const isContinued = meter.registersGoOn && boxes.every(b => b.known)
  let mismatch: string | undefined
  try {
    mismatch = registersRefusal(
      sent.map(s => ({ ...base, ...s, rollover: isRegisterRollover(s.last, s.current, modulus, rollover) })),
      {
        ...base,
        last: meter.before,
        current: total,
        rollover: rollover && compare(total, meter.before) < 0,
      },
      meter.decimals,
    )
  } catch (e) {
    if (!(e instanceof RangeError)) throw e
  }
  return mismatch === undefined
    ? { used, sent }
    : isContinued
      ? { used, sent, fault: mismatch }
      : { used, sent, hint: '各时段与总读数不符，本次按总读数计，各时段自本次起算' }
}

/** The counter's number where only registers were entered. */
export const sumRegisterInputs = (sent: readonly RegisterInput[]): Decimal => sum(sent.map(s => s.current))

/** Whether the registers are those of the saved reading. */
export const hasSameRegisters = (
  meter: Pick<MeterMonth, 'registers'>,
  sent: readonly RegisterInput[],
): boolean => {
  const savedRegisters = meter.registers?.filter(x => x.current !== undefined) ?? []
  return (
    savedRegisters.length === sent.length &&
    sent.every(register =>
      savedRegisters.some(
        x =>
          x.name === register.name &&
          compare(defined(x.current), register.current) === 0 &&
          compare(x.price, register.price) === 0,
      ),
    )
  )
}

export interface EntryCheck extends EntryPreview {
  readonly times?: RegisterCheck
  /** Why it cannot be saved; undefined when it can. */
  readonly stays?: string
}

/** Checks a total together with its registers. Without a total, theirs is taken. */
export function checkEntry(
  meter: MeterMonth,
  text: string,
  boxes: readonly RegisterBox[] | undefined,
  rollover: boolean,
  day: Day,
): EntryCheck {
  const counterPreview = previewEntry(meter, text, { rollover, day })
  if (!boxes?.length)
    return {
      ...counterPreview,
      ...(counterPreview.fault
        ? { stays: counterPreview.fault }
        : counterPreview.value === undefined
          ? { stays: '请填写读数' }
          : {}),
    }
  const sent = checkRegisters(meter, boxes, undefined, rollover).sent
  const preview =
    text.trim() === '' && sent
      ? previewEntry(meter, sumRegisterInputs(sent), { rollover, day })
      : counterPreview
  const times = checkRegisters(meter, boxes, preview.value, rollover)
  const fault = preview.fault ?? times.fault
  const needsTimes =
    times.lacks !== undefined && (needsRegisters(meter) || boxes.some(b => b.text.trim() !== ''))
  const stays =
    fault ??
    (needsTimes
      ? `该表分时计量，请填写时段：${times.lacks}`
      : preview.value === undefined
        ? '请填写读数'
        : undefined)
  const { fault: _fault, ...previewWithoutFault } = preview
  const linked = times.sent && meter.registersGoOn && boxes.every(b => b.known) && preview.usage !== undefined
  return {
    ...previewWithoutFault,
    ...(linked
      ? { usage: sum([mul(sum(times.used.flatMap(u => u ?? [])), meter.multiple), meter.loss ?? '0']) }
      : {}),
    times,
    ...(fault ? { fault } : {}),
    ...(stays ? { stays } : {}),
  }
}
