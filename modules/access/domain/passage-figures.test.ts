import { expect, it } from 'vitest'
import { openMethod } from '../contract/choices.ts'
import { choiceFigures, dayFigures, hourFigures, topFigures, type Counted } from './passage-figures.ts'

const counted = (value: string, opened: number, refused = 0): Counted[] => [
  { value, isOpened: true, count: opened },
  { value, isOpened: false, count: refused },
]

it('days and hours without a record are counted as none', () => {
  const days = dayFigures(counted('2026-03-01', 3, 1), '2026-02-28', '2026-03-01')
  expect(days).toEqual([
    { key: '2026-02-28', label: '02-28', opened: 0, refused: 0 },
    { key: '2026-03-01', label: '03-01', opened: 3, refused: 1 },
  ])
  const hours = hourFigures(counted('7', 5))
  expect(hours).toHaveLength(24)
  expect(hours.flatMap(({ key, opened }) => (opened ? [[key, opened]] : []))).toEqual([['7', 5]])
})

it('methods are named, the most frequent first; what did not come up is left out', () => {
  const rows = [...counted('1', 2), ...counted('3', 5, 1)]
  expect(choiceFigures(rows, openMethod)).toEqual([
    { key: 'face', label: '人脸', opened: 5, refused: 1 },
    { key: 'card', label: '刷卡', opened: 2, refused: 0 },
  ])
})

it('of many doors the busiest are shown', () => {
  const rows = [...counted('1', 1), ...counted('2', 9), ...counted('3', 4, 6)]
  const names = topFigures(rows, 2, value => `门${value}`).map(({ label }) => label)
  expect(names).toEqual(['门3', '门2'])
})
