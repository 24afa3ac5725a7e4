import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { clockDifference, clockFault, isClockKnown, lateFault, passedAt } from './clock.ts'
import { checkReason } from './confidence.ts'
import { displayLines } from './display-text.ts'
import { isSameCar } from './same-car.ts'

it('two readings are of one car with one character misread, or none read', () => {
  const pairs = [
    ['粤B12345', '粤B12345', true],
    ['粤B12345', '粤B1234S', true],
    ['粤B12345', '粤B1284S', false],
    ['粤B12345', '粤BD12345', false],
    ['粤B12345', undefined, true],
  ] as const
  for (const [a, b, isSame] of pairs) {
    expect(isSameCar(a, b)).toBe(isSame)
  }
})

it('a clock within five minutes is right; beyond them the fault says which way and how far', () => {
  expect(clockFault(300)).toBeUndefined()
  expect(clockFault(-300)).toBeUndefined()
  expect(clockFault(-601)).toBe('相机时间慢 10 分钟，请在相机上校时')
  expect(clockFault(900)).toBe('相机时间快 15 分钟，请在相机上校时')
  expect(clockFault(-3 * 86_400)).toBe('相机时间慢 3 天，请在相机上校时')
  expect(lateFault(-3600)).toBe('识别记录晚到 60 分钟，请检查网络与相机时间')
})

it('a clock that is behind is known by two readings alike, one that is ahead or right by one', () => {
  const now = '2026-11-21 10:00:00'
  expect(clockDifference('2026-11-21 09:50:00', now)).toBe(-600)
  expect(clockDifference('2099-12-31 00:00:00', now)).toBe(2_147_483_647)
  expect(isClockKnown(900, undefined)).toBe(true)
  expect(isClockKnown(-300, 900)).toBe(true)
  expect(isClockKnown(-3600, undefined)).toBe(false)
  expect(isClockKnown(-3600, -3540)).toBe(false)
  expect(isClockKnown(-3600, -3590)).toBe(true)
})

it('what is reported afterwards is put right by the clock as it was last heard; far ahead it stays', () => {
  const now = '2026-11-21 10:00:00'
  expect(passedAt('2026-11-21 08:00:00', undefined, now)).toBe('2026-11-21 08:00:00')
  expect(passedAt('2026-11-21 08:00:00', 200, now)).toBe('2026-11-21 08:00:00')
  expect(passedAt('2026-11-21 08:00:00', -600, now)).toBe('2026-11-21 08:10:00')
  expect(passedAt('2026-11-21 11:00:00', 3600, now)).toBe('2026-11-21 10:00:00')
  expect(passedAt('2026-11-21 10:05:00', undefined, now)).toBe(now)
  expect(passedAt('2026-11-21 11:00:00', undefined, now)).toBe('2026-11-21 11:00:00')
  expect(passedAt(undefined, -600, now)).toBeUndefined()
})

it('a plate counts at the limit, not below it, and not where it is none (PRK-62)', () => {
  const read = { plateNo: '粤B12345', confidence: 80, isOffline: false }
  expect(checkReason(read, 80)).toBeUndefined()
  expect(checkReason({ ...read, confidence: 79 }, 80)).toBe('可信度 79%，请核对车牌')
  expect(checkReason({ ...read, plateNo: '粤B1' }, 80)).toContain('格式不正确')
  expect(checkReason({ ...read, plateNo: undefined }, 0)).toBe('未识别到车牌')
  expect(checkReason({ plateNo: undefined, confidence: 0, isOffline: true }, 80)).toBeUndefined()
})

it('the screen shows the plate with what is due, or why', () => {
  const decided = { isOpen: false, reason: '待收 9.00，请先缴费', plateNo: '粤B12345', due: asFen(900) }
  expect(displayLines(decided)).toEqual(['粤B12345', '请缴费 9.00 元'])
  const open = { ...decided, isOpen: true, due: asFen(0), reason: '月租车，有效期至 2026-12-31' }
  expect(displayLines(open)).toEqual(['粤B12345', '月租车，有效期至 2026-12-31'])
})
