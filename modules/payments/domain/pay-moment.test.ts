import { expect, it } from 'vitest'
import { payMomentOf, payMomentRefusal } from './pay-moment.ts'

const now = '2026-11-21 09:30:00'
const rules = { maxDays: 3, isAllowed: true }

it('PAY-9: a payment may be dated so many days back, by whom it is allowed, never ahead', () => {
  expect(payMomentRefusal('2026-11-18 12:00:00', now, rules)).toBeUndefined()
  expect(payMomentRefusal('2026-11-17 23:59:59', now, rules)).toBe(
    '最多补录 3 天内的收款，请填写 2026-11-18 或之后的日期',
  )
  expect(payMomentRefusal('2026-11-20 12:00:00', now, { ...rules, isAllowed: false })).toBe(
    '补录以前的收款需要「收银台·补录日期」权限',
  )
  expect(payMomentRefusal('2026-11-22 00:00:00', now, rules)).toBe('缴费时间不能晚于现在')
  expect(payMomentRefusal('2026-11-20 12:00:00', now, { ...rules, maxDays: 0 })).toContain('2026-11-21')
})

it('PAY-9: a time of today needs no permission; a time in the future counts as now', () => {
  const nobody = { maxDays: 0, isAllowed: false }
  expect([
    payMomentRefusal(undefined, now, nobody),
    payMomentRefusal('2026-11-21 08:00:00', now, nobody),
    payMomentRefusal('2026-11-21 12:00:00', now, nobody),
  ]).toEqual([undefined, undefined, undefined])
  expect([
    payMomentOf(undefined, now),
    payMomentOf('2026-11-21 08:00:00', now),
    payMomentOf('2026-11-21 12:00:00', now),
    payMomentOf('2026-11-19 12:00:00', now),
  ]).toEqual([now, '2026-11-21 08:00:00', now, '2026-11-19 12:00:00'])
})
