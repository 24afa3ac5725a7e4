import { expect, it } from 'vitest'
import type { Moment } from '#kit/domain/moment.ts'
import {
  busyLimitAt,
  judgeLiftCall,
  type BusyWindow,
  type FloorRight,
  type LiftSetting,
} from './lift-call.ts'

const lift: LiftSetting = {
  state: 'running',
  floorList: ['-1', '1', '2', '3', '4'],
  publicFloors: ['1'],
  closedFloors: ['4'],
}
const home: FloorRight = { source: 'home', place: '1栋-1-201', floors: ['2'] }
const week: FloorRight = {
  source: 'right',
  floors: ['3'],
  fromDate: '2026-03-02',
  untilDate: '2026-03-08',
}
/** A Friday. */
const at: Moment = '2026-03-06 10:00:00'
const reasonOf = (
  rights: readonly FloorRight[],
  floor: string,
  moment: Moment = at,
  setting = lift,
): string => judgeLiftCall(setting, rights, floor, moment).reason

it('a resident goes to the own floor and the public floors, nowhere else (ELV-2)', () => {
  expect(judgeLiftCall(lift, [home], '2', at)).toMatchObject({
    isAllowed: true,
    reason: '住处楼层（1栋-1-201）',
  })
  expect(judgeLiftCall(lift, [home], '1', at)).toMatchObject({ isAllowed: true, reason: '公共楼层' })
  expect(judgeLiftCall(lift, [home], '3', at)).toEqual({ isAllowed: false, reason: '无此楼层的权限' })
  expect(reasonOf([], '1')).toBe('无此电梯的权限')
})

it('a right counts from its first to its last day, in its windows (ELV-2)', () => {
  expect(judgeLiftCall(lift, [home, week], '3', at)).toMatchObject({
    isAllowed: true,
    reason: '梯控权限',
    untilDate: '2026-03-08',
  })
  expect(judgeLiftCall(lift, [week], '3', '2026-03-08 23:59:59').isAllowed).toBe(true)
  expect(reasonOf([week], '3', '2026-03-01 23:59:59')).toBe('权限尚未生效')
  expect(reasonOf([week], '3', '2026-03-09 00:00:00')).toBe('权限已过期')
  const daytime = { ...week, windows: [{ begin: '08:00', end: '09:00' }] }
  expect(reasonOf([daytime], '3')).toBe('不在可乘梯的时间段')
  expect(judgeLiftCall(lift, [daytime], '3', '2026-03-06 08:30:00').isAllowed).toBe(true)
  expect(reasonOf([daytime], '1')).toBe('不在可乘梯的时间段')
})

it('a lift that does not run and floors that are closed or not there refuse (ELV-1, ELV-2)', () => {
  const all = { ...home, floors: lift.floorList }
  expect(reasonOf([all], '4')).toBe('楼层已停用')
  expect(reasonOf([all], '9')).toBe('电梯不停靠此楼层')
  expect(reasonOf([all], '2', at, { ...lift, state: 'repair' })).toBe('电梯检修')
})

it('busy times forbid, leave the own floor, or hint; the strictest counts (ELV-2)', () => {
  const window = (limit: BusyWindow['limit']): BusyWindow => ({ begin: '09:00', end: '11:00', limit })
  const busy = (...limits: BusyWindow['limit'][]): LiftSetting => ({ ...lift, busyTimes: limits.map(window) })
  expect(reasonOf([home], '2', at, busy('hint', 'noCall'))).toBe('繁忙时段，暂停呼梯')
  expect(reasonOf([week], '3', at, busy('ownFloor'))).toBe('繁忙时段，仅可到本层与公共楼层')
  expect(judgeLiftCall(busy('ownFloor'), [week], '1', at).isAllowed).toBe(true)
  expect(judgeLiftCall(busy('ownFloor'), [home], '2', at).isAllowed).toBe(true)
  expect(judgeLiftCall(busy('hint'), [week], '3', at)).toMatchObject({ hint: '繁忙时段，请耐心等候' })
  expect(judgeLiftCall(busy('noCall'), [week], '3', '2026-03-06 11:00:00').isAllowed).toBe(true)
  expect(busyLimitAt([{ ...window('noCall'), weekDays: ['sunday'] }], at)).toBeUndefined()
})
