import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { asDay } from '#kit/domain/day.ts'
import { byUrgency, findScanned, hashOf, type ShownRound } from './rounds.ts'
import { emptyDraft, hasEntries } from './walk-draft.ts'

const roundOf = (id: number, codes: readonly string[], signTime?: string): ShownRound => ({
  id: asId(id),
  planName: `巡更${id}`,
  taskDate: asDay('2026-11-29'),
  beginTime: asMoment('2026-11-29 20:00:00'),
  endTime: asMoment('2026-11-29 21:00:00'),
  closeTime: asMoment('2026-11-29 21:30:00'),
  inOrder: true,
  state: 'waiting',
  done: 0,
  points: codes.map((code, i) => ({
    stepId: asId(id * 10 + i),
    sort: i + 1,
    name: code,
    dueTime: asMoment('2026-11-29 20:10:00'),
    signKinds: ['qr'],
    needsPhoto: false,
    items: [],
    codeHashes: [hashOf(code)],
    isAbnormal: false,
    waits: false,
    ...(signTime === undefined ? {} : { signTime: asMoment(signTime) }),
  })),
})

const now = asMoment('2026-11-29 20:05:00')
const first = roundOf(1, ['gate', 'roof'])
const second = roundOf(2, ['gate'])
const scan = (code: string, rounds: readonly ShownRound[], roundId?: number) =>
  findScanned(rounds, 'qr', code, { now, roundId: roundId === undefined ? undefined : asId(roundId) })?.point
    .stepId

it('a scan belongs to the round that is opened where it holds the code', () => {
  expect(scan('gate', [first, second], 2)).toBe(20)
  expect(scan('gate', [first, roundOf(2, ['gate'], '2026-11-29 20:01:00')], 2)).toBe(20)
  expect(scan('roof', [first, second], 2)).toBe(11)
})

it('the round that runs is above those that ended and those to come', () => {
  const ended = { ...roundOf(3, ['gate']), state: 'partial' as const }
  const later = { ...roundOf(4, ['gate']), beginTime: asMoment('2026-11-30 20:00:00') }
  expect(byUrgency([ended, later, first], now).map(({ id }) => id)).toEqual([1, 4, 3])
})

it('outside a round a scan is of the point that is not signed yet', () => {
  expect(scan('gate', [roundOf(1, ['gate'], '2026-11-29 20:01:00'), second])).toBe(20)
  expect(scan('pump', [first, second])).toBeUndefined()
})

it('what was entered at a point is not signed away by a scan', () => {
  expect(hasEntries(emptyDraft, [])).toBe(false)
  expect(hasEntries(emptyDraft, ['photo'])).toBe(true)
  expect(hasEntries({ ...emptyDraft, abnormal: '门锁损坏' }, [])).toBe(true)
})
