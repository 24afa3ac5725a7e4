import { expect, it } from 'vitest'
import { codeUses as usesOf, type CodeOpening } from './code-uses.ts'

const at = (minute: number): string => `2026-11-21T08:${String(minute).padStart(2, '0')}:00.000Z`
const endsAt = at(50)

const codeUses = (openings: readonly CodeOpening[], isInside: boolean, end: string, entrancesLeft = 9) =>
  usesOf(openings, { isInside, endsAt: end, entrancesLeft })

const opening = (
  direction: CodeOpening['direction'],
  minute: number,
  values: Partial<CodeOpening> = {},
): CodeOpening => ({ direction, at: at(minute), isOneWay: direction !== 'both', isInner: false, ...values })

it('openings of a code are counted by direction, whatever their order (VIS-2)', () => {
  const openings = [opening('exit', 30), opening('entrance', 5)]
  const counted = { entrances: 1, exits: 1, enteredAt: at(5), leftAt: at(30), overuses: [] }
  expect(codeUses(openings, false, endsAt)).toEqual(counted)
  expect(codeUses([...openings, opening('entrance', 40)], false, endsAt)).toEqual({
    entrances: 2,
    exits: 1,
    enteredAt: at(5),
    leftAt: undefined,
    overuses: [],
  })
})

it('an entry counts once, through whatever doors for both directions it leads (VIS-2)', () => {
  const first = opening('entrance', 1, { isOneWay: false })
  const lobby = opening('entrance', 3, { isOneWay: false })
  expect(codeUses([first, lobby], false, endsAt)).toMatchObject({ entrances: 1, exits: 0 })
  expect(codeUses([lobby], true, endsAt)).toMatchObject({ entrances: 0, exits: 0 })
  const comingBack = [first, opening('exit', 5, { isOneWay: false }), { ...first, at: at(9) }]
  expect(codeUses(comingBack, false, endsAt)).toMatchObject({ entrances: 2, exits: 1, leftAt: undefined })
})

it('an entrance alone counts each time: a code that is passed back is used up (VIS-2)', () => {
  const openings = [opening('entrance', 1), opening('entrance', 2)]
  expect(codeUses(openings, false, endsAt)).toMatchObject({ entrances: 2 })
})

it('the door of a building behind a gate lets nobody in again, nor out of the project (VIS-5)', () => {
  const inner = { isInner: true }
  const within = [opening('entrance', 2, inner), opening('exit', 20, inner), opening('both', 30, inner)]
  expect(codeUses([opening('entrance', 1), ...within], false, endsAt)).toMatchObject({
    entrances: 1,
    exits: 0,
    leftAt: undefined,
  })
  // Let in at the gate without the code.
  expect(codeUses(within, false, endsAt)).toMatchObject({ entrances: 1, exits: 0, enteredAt: at(2) })
})

it('where nothing says which way, somebody inside leaves once the visit is over (VIS-5)', () => {
  expect(codeUses([opening('both', 1)], false, endsAt)).toMatchObject({ entrances: 1, exits: 0 })
  expect(codeUses([opening('both', 2)], true, endsAt)).toMatchObject({ entrances: 0, exits: 0 })
  expect(codeUses([opening('both', 55)], true, endsAt)).toMatchObject({ exits: 1, leftAt: at(55) })
})

it('who is not inside does not leave (VIS-2)', () => {
  const exits = [opening('exit', 1), opening('entrance', 2), opening('exit', 3), opening('exit', 4)]
  expect(codeUses(exits, false, endsAt)).toEqual({
    entrances: 1,
    exits: 1,
    enteredAt: at(2),
    leftAt: at(3),
    overuses: [],
  })
})

it('an entry for which no entrance is left is an overuse (VIS-2)', () => {
  const first = opening('entrance', 1)
  const other = opening('entrance', 1, { isOneWay: false })
  const out = opening('exit', 9)
  const within = [opening('entrance', 2, { isInner: true, isOneWay: false }), out]
  const overuses = (openings: readonly CodeOpening[], isInside: boolean, left: number) =>
    codeUses(openings, isInside, endsAt, left).overuses
  expect(overuses([first, ...within], false, 1)).toEqual([])
  expect(overuses([first, other, ...within], false, 1)).toEqual([other])
  expect(overuses([first, other, ...within], false, 2)).toEqual([])
  expect(overuses([other], true, 0)).toEqual([other])
  expect(overuses([first, out, opening('entrance', 12)], false, 1)).toHaveLength(1)
})

it('an entrance that was counted before the door opened uses up nothing more (VIS-2)', () => {
  const counted = opening('entrance', 1, { isCounted: true })
  expect(codeUses([counted], false, endsAt, 0)).toEqual({
    entrances: 0,
    exits: 0,
    enteredAt: at(1),
    leftAt: undefined,
    overuses: [],
  })
  const second = opening('entrance', 2)
  expect(codeUses([counted, second], false, endsAt, 0).overuses).toEqual([second])
})
