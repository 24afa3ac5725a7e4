import { expect, it } from 'vitest'
import { defaultReadDay, previewEntry, canReadOn } from './entry-preview.ts'

const meterMonth = {
  before: '99980',
  multiple: '40',
  digits: 5,
  decimals: 1,
  afterEstimate: false,
  carried: '0',
} as const

it('T-MTR-01 as it is typed: the tick is offered where the counter may have gone round, and taken', () => {
  expect(previewEntry(meterMonth, '15', { rollover: false, day: '2026-11-20' })).toMatchObject({
    rolls: true,
    fault: expect.stringContaining('如为翻表请勾选'),
  })
  expect(previewEntry(meterMonth, '15', { rollover: true, day: '2026-11-20' })).toMatchObject({
    rolls: true,
    usage: '1400',
    value: '15',
  })
  expect(previewEntry(meterMonth, '50000', { rollover: false, day: '2026-11-20' })).toMatchObject({
    rolls: false,
    fault: '本期读数小于上期 99980，请核对；换过表的请先登记换表',
  })
  expect(previewEntry(meterMonth, '99990', { rollover: true, day: '2026-11-20' })).toMatchObject({
    rolls: false,
    usage: '400',
  })
})

it('MTR-8, MTR-11, MTR-4: marks, what a replaced meter counted, no base', () => {
  expect(
    previewEntry(
      { ...meterMonth, before: '0', multiple: '1', recent: ['10', '10', '10'], lastYear: '12' },
      '30.5',
      { rollover: false, day: '2026-11-20' },
    ),
  ).toMatchObject({ usage: '30.5', flags: ['high', 'jump'] })
  expect(
    previewEntry({ ...meterMonth, before: '3', multiple: '30', carried: '2640' }, '96', {
      rollover: false,
      day: '2026-11-20',
    }).usage,
  ).toBe('5430')
  expect(
    previewEntry({ ...meterMonth, before: undefined }, '1234', { rollover: false, day: '2026-11-20' }),
  ).toEqual({
    value: '1234',
    flags: [],
    rolls: false,
  })
})

it('a number the meter cannot show is a fault; an empty text is none', () => {
  expect(
    ['12a', '-1', '1.25', '100000', '1e5', '1２a'].map(
      t => previewEntry(meterMonth, t, { rollover: false, day: '2026-11-20' }).fault,
    ),
  ).toEqual([
    '请填写数字',
    '请填写数字',
    '该表读数最多 1 位小数',
    expect.stringContaining('最大值'),
    '请填写数字',
    '请填写数字',
  ])
  expect([
    previewEntry(meterMonth, ' ', { rollover: false, day: '2026-11-20' }),
    previewEntry({ ...meterMonth, before: '0' }, '.5', { rollover: false, day: '2026-11-20' }).value,
    previewEntry({ ...meterMonth, before: '0' }, '１２。５', { rollover: false, day: '2026-11-20' }).value,
  ]).toEqual([{ flags: [], rolls: false }, '0.5', '12.5'])
})

it('the day to write down: today in the running month, the last one of a month gone by', () => {
  expect([
    defaultReadDay('2026-11', '2026-11-20'),
    defaultReadDay('2026-09', '2026-11-20'),
    defaultReadDay('2026-12', '2026-11-20'),
  ]).toEqual(['2026-11-20', '2026-09-30', '2026-11-20'])
  expect([
    canReadOn('2026-11', '2026-12-01', '2026-11-20'),
    canReadOn('2026-10', '2026-11-20', '2026-11-20'),
    canReadOn('2026-09', '2026-11-20', '2026-11-20'),
    canReadOn('2026-11', '2026-10-01', '2026-11-20'),
  ]).toEqual([false, true, false, true])
})
