import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { bulkResultOf, judgeRecords } from './bulk-result.ts'

const cards = [
  { id: asId(1), name: 'A', state: 'on' },
  { id: asId(2), name: 'B', state: 'off' },
]
const judge = () =>
  judgeRecords(
    cards,
    c => (c.state === 'on' ? undefined : `${c.name} is off`),
    c => c.name,
  )

it('judges records one by one: one that is refused does not hold up the others (G-11)', () => {
  const { allowed, refused } = judge()
  expect(allowed.map(c => c.id)).toEqual([1])
  expect(refused).toEqual([{ id: 2, code: 'B', reason: 'B is off' }])
})

it('counts what was refused and what was not found as failed, each once (G-11)', () => {
  expect(bulkResultOf(['1', '2', '3', '3'], cards, judge().refused)).toEqual({
    success: 1,
    fail: 2,
    skipped: 0,
    rows: [
      { id: 2, code: 'B', reason: 'B is off' },
      { id: 3, reason: '数据不存在或已被删除' },
    ],
  })
})

it('says how many it was done to where that is more than what was asked for', () => {
  expect(bulkResultOf([asId(1)], cards, [], 5)).toMatchObject({ success: 5, fail: 0, rows: [] })
})
