import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { occupancyRateOf } from './occupancy.ts'
import {
  floorOfRoomNo,
  roomNoOf,
  floorFault,
  roomPathOf,
  planRoomBatch,
  roomSortKeyOf,
} from './room-numbering.ts'
import { roomStateFault } from './room-state.ts'

it('formats the path of a room', () => {
  expect(roomPathOf({ building: '3 栋', unit: '2单元', floor: 15, roomNo: '1502' })).toBe('3-2-1502')
  expect(roomPathOf({ building: 'A座', unit: 'A', floor: 1, roomNo: '101' })).toBe('A-A-101')
  expect(roomPathOf({ building: '商业街', unit: '1', floor: 1, roomNo: 'S12' })).toBe('商业街-1-S12')
})

it.each([
  ['101', 1],
  ['1502', 15],
  ['0101', 1],
  ['B101', -1],
  ['b203', -2],
  ['S12', undefined],
  ['12', undefined],
  ['002', undefined],
  ['10101', undefined],
])('the number %s begins with floor %s', (roomNo, floor) => expect(floorOfRoomNo(roomNo)).toBe(floor))

it('sorts buildings, floors and numbers as people count', () => {
  const sortKeyAt = (building: string, unit: string, floor: number, roomNo: string): string =>
    roomSortKeyOf({ building, unit, floor, roomNo })
  const expected = [
    sortKeyAt('2栋', '1', -1, 'B101'),
    sortKeyAt('2栋', '1', 1, '101'),
    sortKeyAt('2栋', '1', 9, '901'),
    sortKeyAt('2栋', '1', 10, '1001'),
    sortKeyAt('2栋', '10', 1, '101'),
    sortKeyAt('10栋', '1', 1, '101'),
    sortKeyAt('商业街', '1', 1, '1'),
  ]
  expect([...expected].toReversed().toSorted()).toEqual(expected)
})

it('plans floors × rooms, leaving floor 0 out, and knows the floors of a unit (BASE-3)', () => {
  const unit = { name: '1', floorCount: 18, undergroundFloors: 1 }
  const all = planRoomBatch([unit], -1, 2, 3)
  expect(all.map(room => room.roomNo)).toEqual([
    'B101',
    'B102',
    'B103',
    '101',
    '102',
    '103',
    '201',
    '202',
    '203',
  ])
  expect(defined(all[0]).floorNum).toBe(-1)
  expect(() => planRoomBatch([unit], 1, 19, 1)).toThrow('无 19 层')
  expect(() => planRoomBatch([unit], 3, 2, 1)).toThrow(Refused)
  expect([0, 1, 18, 19, -1, -2].map(f => floorFault(unit, f) === undefined)).toEqual([
    false,
    true,
    true,
    false,
    true,
    false,
  ])
})

it('lets states follow as a room is sold, delivered, lived in; back only with a reason (BASE-6)', () => {
  const room = { roomState: 'pending' } as const
  expect(roomStateFault(room, 'vacant')).toBe('改为“空置”前请先填写“交付日期”')
  expect(roomStateFault({ ...room, deliverDate: '2026-01-01' }, 'vacant')).toBeUndefined()
  expect(roomStateFault({ roomState: 'unsold' }, 'lived')).toContain('当前为“未售”，不能改为“已入住”')
  expect(roomStateFault({ roomState: 'lived' }, 'lived')).toContain('无需重复操作')
  expect(roomStateFault({ roomState: 'vacant' }, 'unsold')).toBe('退回“未售”请填写原因')
  expect(roomStateFault({ roomState: 'vacant' }, 'unsold', '退房')).toBeUndefined()
  expect(roomStateFault({ roomState: 'lived' }, 'fitting')).toContain('装修开始')
})

it('counts who lives there among what is delivered (STAT-9, T-STAT-06)', () => {
  expect(
    occupancyRateOf({ lived: 400, let: 10, own: 2, vacant: 100, fitting: 8, unsold: 50, pending: 5 }),
  ).toBe('79.23')
  expect(occupancyRateOf({ unsold: 5 })).toBeUndefined()
})

it('writes the floor with the digits its estate wants (BASE-3)', () => {
  expect([roomNoOf(1, 1), roomNoOf(1, 1, 2), roomNoOf(15, 2, 2), roomNoOf(-1, 3, 2)]).toEqual([
    '101',
    '0101',
    '1502',
    'B103',
  ])
})
