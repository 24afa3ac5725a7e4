import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { splitByRegister } from './registers.ts'

const register = (name: string, usage: string, price: string) => ({
  name,
  last: '0',
  current: usage,
  usage,
  price,
})
const reading = { id: asId(1), begin: '2026-11-01', end: '2026-11-30', multiplier: '1' } as const

const usagesOf = (usage: string, ...registers: ReturnType<typeof register>[]) =>
  splitByRegister({ ...reading, usage, last: '0', current: usage, registers })?.map(
    r => `${r.name} ${r.usage} ${r.price ?? '-'}`,
  )

it('MTR-15: a reading by time of use is billed register by register, where one has a price', () => {
  expect(usagesOf('30', register('峰', '10', '1.2'), register('谷', '20', '0.3'))).toEqual([
    '峰 10 1.2',
    '谷 20 0.3',
  ])
  expect(usagesOf('30', register('峰', '10', '1.2'), register('谷', '20', '0'))).toEqual([
    '峰 10 1.2',
    '谷 20 -',
  ])
  expect(usagesOf('30', register('峰', '10', '0'), register('谷', '20', '0'))).toBeUndefined()
  expect(usagesOf('30')).toBeUndefined()
})

it('MTR-13, MTR-15: what is beyond the registers goes by the standard, what is short comes off the dearest', () => {
  const registers = [register('谷', '20', '0.3'), register('峰', '10', '1.2')] as const
  expect(usagesOf('31', ...registers)).toEqual(['谷 20 0.3', '峰 10 1.2', '其他 1 -'])
  expect(usagesOf('29', ...registers)).toEqual(['谷 20 0.3', '峰 9 1.2'])
  expect(usagesOf('20', ...registers)).toEqual(['谷 20 0.3'])
  expect(usagesOf('19', ...registers)).toEqual(['谷 19 0.3'])
  expect(usagesOf('0', ...registers)).toEqual([])
})
