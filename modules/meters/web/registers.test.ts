import { expect, it } from 'vitest'
import { boxesOf, freshBoxes, sameTimes, timesOf, totalOf, wantsTimes, type Box } from './registers.ts'

const place = {
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

const typed = (...texts: readonly string[]): readonly Box[] =>
  boxesOf(place).map((b, i) => ({ ...b, text: texts[i] ?? '' }))

it('MTR-15 as it is typed: each goes on from the last one, all must add up to the total', () => {
  expect(timesOf(place, typed('15', ''), '45', false)).toEqual({ used: ['5', undefined], lacks: '谷' })
  const good = timesOf(place, typed('15', '３０。1'), '45.2', false)
  expect(good).toEqual({
    used: ['5', '10.1'],
    sent: [
      { name: '峰', last: '10', current: '15', price: '1' },
      { name: '谷', last: '20', current: '30.1', price: '0.3' },
    ],
  })
  expect(totalOf(good.sent!)).toBe('45.1')
  expect([
    timesOf(place, typed('15', '40'), '45', false).fault,
    timesOf(place, typed('9', '40'), '45', false).fault,
    timesOf(place, typed('a', '40'), '45', false).fault,
    timesOf(place, typed('15.25', '40'), '45', false).fault,
  ]).toEqual([
    '各时段合计走了 25，总读数走了 15，两者不符，请核对',
    '时段「峰」小于上期 10，请核对',
    '时段「峰」请填写数字',
    '时段「峰」该表读数最多 1 位小数',
  ])
})

it('a meter that has none yet: empty ones are left out, what does not add up is said and may be kept', () => {
  const boxes = freshBoxes().map(b =>
    b.name === '峰'
      ? { ...b, text: '400', price: '1.2' }
      : b.name === '谷'
        ? { ...b, text: '90', last: '80' }
        : b,
  )
  expect(timesOf({ ...place, registersGoOn: false }, boxes, '45', false)).toMatchObject({
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
    sameTimes(read, one),
    sameTimes(read, [{ ...one[0]!, current: '16' }]),
    sameTimes(read, [{ ...one[0]!, price: '2' }]),
    wantsTimes(place),
    wantsTimes({ ...read, readingId: 7 }),
    wantsTimes({ ...place, readingId: 7 }),
    wantsTimes({}),
  ]).toEqual([true, false, false, true, true, false, false])
})
