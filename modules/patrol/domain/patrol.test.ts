import { describe, expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { checkItemFaults } from './check-items.ts'
import { codeOfScan, matchSign, type SignedPoint } from './matching.ts'
import { pointFaults } from './point.ts'
import { offsetsOf, totalMinutesOf } from './road.ts'

it('a point is due after all legs up to it (PAT-4)', () => {
  const legs = [10, 10, 15].map(legMinutes => ({ legMinutes }))
  expect([offsetsOf(legs), totalMinutesOf(legs), totalMinutesOf([])]).toEqual([[10, 20, 35], 35, 0])
})

it('checks have names of their own and bounds in their order', () => {
  const items = [
    { name: '压力', minValue: '0.3', maxValue: '0.1' },
    { name: '压力', minValue: 'x' },
    { name: '门锁' },
  ]
  expect(checkItemFaults(items, ['门锁']).map(({ index, key }) => [index, key])).toEqual([
    [0, 'maxValue'],
    [1, 'name'],
    [1, 'minValue'],
    [2, 'name'],
  ])
})

it('a sign kind asks for what it is recognised by (PAT-1)', () => {
  expect(pointFaults({ signTypes: ['qr', 'photo'] })).toEqual([])
  expect(pointFaults({ signTypes: ['ble', 'gps'], longitude: '120' }).map(fault => fault.key)).toEqual([
    'bleNo',
    'latitude',
    'radius',
  ])
})

describe('which point a sign is of (PAT-1, PAT-6)', () => {
  const entrance: SignedPoint = { id: asId(1), name: '大门', signTypes: ['qr'], code: 'gate-code' }
  const roof: SignedPoint = {
    id: asId(2),
    name: '屋顶',
    signTypes: ['qr', 'gps'],
    code: 'roof-code',
    longitude: '120.100000',
    latitude: '30.200000',
    radius: 50,
  }
  const pump: SignedPoint = { id: asId(3), name: '泵房', signTypes: ['nfc'], nfcNo: '04:A2:2B' }
  const plant: SignedPoint = { id: asId(4), name: '机房', signTypes: ['photo'] }
  const elsewhere: SignedPoint = { id: asId(9), name: '后门', signTypes: ['qr'], code: 'back-code' }
  const points = [entrance, roof, pump, plant, elsewhere]
  const round = new Set([entrance, roof, pump, plant].map(point => point.id))
  const match = (sign: Parameters<typeof matchSign>[0], named?: number) =>
    matchSign(sign, points, round, named === undefined ? undefined : asId(named))

  it('a label by its code, a tag by its number however it is written', () => {
    expect(match({ signType: 'qr', code: ' gate-code ' })).toEqual({ pointId: 1 })
    expect(match({ signType: 'nfc', code: '04a22b' })).toEqual({ pointId: 3 })
    expect(codeOfScan('https://anju.example/watchlist/walk?code=gate-code')).toBe('gate-code')
    expect(codeOfScan('gate-code')).toBe('gate-code')
  })

  it('a made-up code, the number of a point, and one that is not of the round count for nothing', () => {
    for (const code of ['forged', '1', '', undefined]) {
      expect(match({ signType: 'qr', code })).toMatchObject({ reason: 'unknownCode' })
    }
    expect(match({ signType: 'qr', code: 'back-code' })).toMatchObject({
      reason: 'notInTask',
      message: expect.stringContaining('后门'),
    })
  })

  it('the position must be within the radius, one 3 km away is refused with the distance', () => {
    const at = (latitude: string) =>
      ({ signType: 'qr', code: 'roof-code', longitude: '120.100000', latitude }) as const
    expect(match(at('30.200400'))).toEqual({ pointId: 2 })
    expect(match(at('30.227000'))).toMatchObject({
      reason: 'tooFar',
      message: expect.stringContaining('3.0 公里'),
    })
    expect(match({ signType: 'qr', code: 'roof-code' })).toMatchObject({ reason: 'tooFar' })
  })

  it('the way of signing is one of the point; a photo alone only where it has no other', () => {
    expect(match({ signType: 'gps' }, 1)).toMatchObject({ reason: 'wrongWay' })
    expect(match({ signType: 'photo' }, 1)).toMatchObject({ reason: 'wrongWay' })
    expect(match({ signType: 'photo' }, 4)).toEqual({ pointId: 4 })
    expect(match({ signType: 'photo' }, 9)).toMatchObject({ reason: 'notInTask' })
  })
})
