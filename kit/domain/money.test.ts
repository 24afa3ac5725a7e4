import { defined } from './defined.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { castForTest } from './fixtures.ts'
import { toFen } from './decimal.ts'
import {
  addFen,
  AmountOutOfRange,
  asFen,
  boundedFen,
  fenLimit,
  formatYuan,
  maxFen,
  minFen,
  negateFen,
  parseYuan,
  readYuan,
  splitByWeight,
  subtractFen,
  sumFen,
  toChineseCapitals,
  type Fen,
} from './money.ts'

const anyFen = fc.integer({ min: -fenLimit, max: fenLimit })

it('writes and reads yuan', () => {
  expect([250, 0, -5, 123456789, -100].map(f => formatYuan(asFen(f)))).toEqual([
    '2.50',
    '0.00',
    '-0.05',
    '1234567.89',
    '-1.00',
  ])
  expect([123456789, -100000, 99, fenLimit].map(f => formatYuan(asFen(f), { thousands: true }))).toEqual([
    '1,234,567.89',
    '-1,000.00',
    '0.99',
    '999,999,999,999.99',
  ])
  expect(['2.50', '2.5', '2', '-0.05', '+1', '1,234,567.89', ' 3 '].map(readYuan)).toEqual([
    250, 250, 200, -5, 100, 123456789, 300,
  ])
  expect(
    ['', '2.', '.5', '2.505', '1,23', '1,2345', '1234,567', '1e3', '￥1', 'abc', '1000000000000'].map(
      readYuan,
    ),
  ).toEqual(Array(11).fill(undefined))
  expect(Object.is(readYuan('-0.00'), 0)).toBe(true)
  expect(() => parseYuan('x')).toThrow('应为金额')
  fc.assert(
    fc.property(anyFen, fc.boolean(), (fen, thousands) => {
      expect(parseYuan(formatYuan(asFen(fen), { thousands }))).toBe(fen + 0)
    }),
  )
})

it('stays inside DECIMAL(14,2)', () => {
  expect(Object.is(boundedFen(-0), 0)).toBe(true)
  expect(boundedFen(fenLimit)).toBe(fenLimit)
  expect(() => boundedFen(fenLimit + 1)).toThrow('金额超出范围')
  expect(() => boundedFen(0.5)).toThrow('整数分')
  expect(() => boundedFen(fenLimit + 1)).toThrow(AmountOutOfRange)
  expect(() => boundedFen(0.5)).not.toThrow(AmountOutOfRange)
  expect(() => formatYuan(castForTest<Fen>(NaN))).toThrow(RangeError)
})

it('reads and writes the sum of many rows, which is more than one amount may be', () => {
  const total = asFen(fenLimit * 90)
  expect(formatYuan(total)).toBe('89999999999999.10')
  expect(parseYuan('89999999999999.10')).toBe(total)
  expect(parseYuan(formatYuan(total, { thousands: true }))).toBe(total)
  expect(() => parseYuan('90071992547409.92')).toThrow(AmountOutOfRange)
  expect(readYuan('1000000000000')).toBeUndefined()
})

it('makes fen of whole numbers only, and computes in fen', () => {
  expect([asFen(5), asFen(-5), asFen(Number.MAX_SAFE_INTEGER)]).toEqual([5, -5, Number.MAX_SAFE_INTEGER])
  expect([asFen(-0), negateFen(0), subtractFen(0, 0)].every(fen => Object.is(fen, 0))).toBe(true)
  for (const n of [0.5, NaN, Infinity, -Infinity]) {
    expect(() => asFen(n)).toThrow(RangeError)
  }
  expect(() => asFen(1.5)).toThrow('整数分')
  expect(() => asFen(2 ** 53)).toThrow('金额超出范围')
  expect(addFen(asFen(1), asFen(2), asFen(-3))).toBe(0)
  expect([subtractFen(asFen(10), asFen(3), asFen(8)), negateFen(asFen(7))]).toEqual([-1, -7])
  expect([minFen(asFen(3), asFen(-2)), maxFen(0, asFen(-2), asFen(4))]).toEqual([-2, 4])
  expect(() => sumFen([castForTest<Fen>(0.5)])).toThrow('整数分')
})

it('sums many rows beyond what one column holds, and throws rather than lose a fen', () => {
  expect(sumFen(Array.from({ length: 90 }, () => fenLimit))).toBe(fenLimit * 90)
  expect(() => sumFen(Array.from({ length: 91 }, () => fenLimit))).toThrow('金额超出范围')
})

it('refuses plain numbers when it is compiled', () => {
  const count: number = 3
  // @ts-expect-error a number is not money
  const amount: Fen = count
  // @ts-expect-error nor is a literal other than 0
  const constant: Fen = 100
  const none: Fen = 0
  expect([amount, constant, none]).toEqual([3, 100, 0])
})

it('shares to the fen (SHR-3; T-SHR-01, 02; DOR-3, T-DOR-01)', () => {
  expect(splitByWeight(asFen(30000), ['88.56', '120.33', '67.20'])).toEqual([9623, 13075, 7302])
  expect(splitByWeight(asFen(10000), [1, 1, 1])).toEqual([3334, 3333, 3333])
  expect(splitByWeight(toFen('108.112'), [30, 30, 18, 12])).toEqual([3604, 3604, 2162, 1441])
  expect(splitByWeight(asFen(-10000), [1, 1, 1])).toEqual([-3334, -3333, -3333])
  expect(splitByWeight(asFen(100), [0, 3, 0])).toEqual([0, 100, 0])
  expect(splitByWeight(0, [])).toEqual([])
  expect(splitByWeight(0, [0, 0])).toEqual([0, 0])
  expect(() => splitByWeight(asFen(1), [0, '0.00'])).toThrow('权重之和为零')
  expect(() => splitByWeight(asFen(1), ['-1', '2'])).toThrow('不小于零')
  expect(() => splitByWeight(asFen(1), [0.1])).toThrow(RangeError)
})

it('shares sum exactly, are fair to the fen, mirror in sign and give nothing for no weight', () => {
  const weight = fc.oneof(
    fc.nat(1e6),
    fc.tuple(fc.nat(1e6), fc.nat(9999)).map(([a, b]) => `${a}.${String(b).padStart(4, '0')}`),
  )
  fc.assert(
    fc.property(anyFen, fc.array(weight, { minLength: 1, maxLength: 60 }), (total, weights) => {
      fc.pre(weights.some(w => Number(w) > 0))
      const parts = splitByWeight(asFen(total), weights)
      expect(sumFen(parts)).toBe(total + 0)
      expect(splitByWeight(asFen(-total), weights)).toEqual(parts.map(p => (p === 0 ? 0 : -p)))
      const scaled = weights.map(w => BigInt(Math.round(Number(w) * 10_000)))
      const all = scaled.reduce((a, b) => a + b, 0n)
      parts.forEach((p, i) => {
        const off = BigInt(p) * all - BigInt(total) * defined(scaled[i])
        expect((off < 0n ? -off : off) < all).toBe(true)
        if (scaled[i] === 0n) {
          expect(p).toBe(0)
        }
      })
    }),
  )
})

it('writes 大写 as receipts want it', () => {
  const table: readonly (readonly [string, string])[] = [
    ['123.45', '壹佰贰拾叁元肆角伍分'],
    ['0', '零元整'],
    ['0.05', '伍分'],
    ['0.50', '伍角整'],
    ['0.55', '伍角伍分'],
    ['10', '壹拾元整'],
    ['1409.50', '壹仟肆佰零玖元伍角整'],
    ['6007.14', '陆仟零柒元壹角肆分'],
    ['1680.32', '壹仟陆佰捌拾元叁角贰分'],
    ['107000.53', '壹拾万柒仟元伍角叁分'],
    ['16409.02', '壹万陆仟肆佰零玖元零贰分'],
    ['325.04', '叁佰贰拾伍元零肆分'],
    ['100000000', '壹亿元整'],
    ['100000001', '壹亿零壹元整'],
    ['100010000', '壹亿零壹万元整'],
    ['1000000000.5', '壹拾亿元伍角整'],
    ['20001.00', '贰万零壹元整'],
    ['100200300', '壹亿零贰拾万零叁佰元整'],
    ['30050000', '叁仟零伍万元整'],
    ['999999999999.99', '玖仟玖佰玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖元玖角玖分'],
    ['-123.45', '负壹佰贰拾叁元肆角伍分'],
    ['10.01', '壹拾元零壹分'],
  ]
  for (const [yuan, capitals] of table) {
    expect([yuan, toChineseCapitals(toFen(yuan))]).toEqual([yuan, capitals])
  }
  const all = new Set<string>()
  for (let fen = 0; fen < 30_000; fen += 1) {
    all.add(toChineseCapitals(asFen(fen)))
  }
  expect(all.size).toBe(30_000)
})
