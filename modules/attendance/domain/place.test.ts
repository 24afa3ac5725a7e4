import { expect, it } from 'vitest'
import { metresBetween } from '#kit/domain/distance.ts'
import { judgePosition } from './place.ts'

const entrance = { name: '南门', longitude: '114.057868', latitude: '22.543099', radius: 200 }
const wifi = { name: '物业办公', bssid: 'AA:BB:CC:00:11:22' }

it('a phone punches in a network or at a place, and is refused with the distance', () => {
  expect(judgePosition({ bssid: 'aa:bb:cc:00:11:22' }, [entrance], [wifi])).toEqual({ place: '物业办公' })
  expect(judgePosition({ longitude: '114.0588', latitude: '22.5431' }, [entrance], [])).toEqual({
    place: '南门',
  })
  expect(judgePosition({ longitude: '114.0678', latitude: '22.5431' }, [entrance], [])).toEqual({
    refusal: expect.stringMatching(/距「南门」10\d\d 米/),
  })
  expect(judgePosition({}, [entrance], [wifi])).toEqual({ refusal: expect.stringContaining('定位') })
  expect(judgePosition({}, [], [wifi])).toEqual({ refusal: expect.stringContaining('物业办公') })
  expect(judgePosition({}, [], [])).toEqual({})
})

it('a thousandth of a degree of latitude is about 111 metres', () => {
  expect(
    Math.round(metresBetween({ longitude: 114, latitude: 22 }, { longitude: 114, latitude: 22.001 })),
  ).toBe(111)
})
