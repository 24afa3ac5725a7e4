import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import {
  toRegisterBoxes,
  createRegisterBoxes,
  hasSameRegisters,
  checkRegisters,
  sumRegisterInputs,
  needsRegisters,
  type RegisterBox,
} from './registers.ts'

const meterMonth = {
  before: '30',
  digits: 5,
  decimals: 1,
  afterEstimate: false,
  registersGoOn: true,
  registers: [
    { name: '峰', last: '10', price: '1' },
    { name: '谷', last: '20', price: '0.3' },
  ],
} as const

const typeBoxes = (...texts: readonly string[]): readonly RegisterBox[] =>
  toRegisterBoxes(meterMonth).map((b, i) => ({ ...b, text: texts[i] ?? '' }))

it('MTR-15 as it is typed: each goes on from the last one, all must add up to the total', () => {
  expect(checkRegisters(meterMonth, typeBoxes('15', ''), '45', false)).toEqual({
    used: ['5', undefined],
    lacks: '谷',
  })
  const good = checkRegisters(meterMonth, typeBoxes('15', '３０。1'), '45.2', false)
  expect(good).toEqual({
    used: ['5', '10.1'],
    sent: [
      { name: '峰', last: '10', current: '15', price: '1' },
      { name: '谷', last: '20', current: '30.1', price: '0.3' },
    ],
  })
  expect(sumRegisterInputs(defined(good.sent))).toBe('45.1')
  expect([
    checkRegisters(meterMonth, typeBoxes('15', '40'), '45', false).fault,
    checkRegisters(meterMonth, typeBoxes('9', '40'), '45', false).fault,
    checkRegisters(meterMonth, typeBoxes('a', '40'), '45', false).fault,
    checkRegisters(meterMonth, typeBoxes('15.25', '40'), '45', false).fault,
  ]).toEqual([
    '各时段用量合计 25，总用量 15，两者不符，请核对',
    '时段「峰」小于上期 10，请核对',
    '时段「峰」请填写数字',
    '时段「峰」该表读数最多 1 位小数',
  ])
})

it('a meter that has none yet: empty ones are left out, a sum that differs is reported and can be kept', () => {
  const boxes = createRegisterBoxes().map(b =>
    b.name === '峰'
      ? { ...b, text: '400', price: '1.2' }
      : b.name === '谷'
        ? { ...b, text: '90', last: '80' }
        : b,
  )
  expect(checkRegisters({ ...meterMonth, registersGoOn: false }, boxes, '45', false)).toMatchObject({
    sent: [
      { name: '峰', last: '0', current: '400', price: '1.2' },
      { name: '谷', last: '80', current: '90', price: '0' },
    ],
    hint: expect.stringContaining('按总读数计'),
  })
})

it('asked again only where the numbers are others; a month read by its total alone is not asked', () => {
  const read = { registers: [{ name: '峰', last: '10', current: '15', price: '1' }] }
  const one = [{ name: '峰', last: '10', current: '15.0', price: '1' }]
  expect([
    hasSameRegisters(read, one),
    hasSameRegisters(read, [{ ...defined(one[0]), current: '16' }]),
    hasSameRegisters(read, [{ ...defined(one[0]), price: '2' }]),
    needsRegisters(meterMonth),
    needsRegisters({ ...read, readingId: asId(7) }),
    needsRegisters({ ...meterMonth, readingId: asId(7) }),
    needsRegisters({}),
  ]).toEqual([true, false, false, true, true, false, false])
})
