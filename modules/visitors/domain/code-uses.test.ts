import { expect, it } from 'vitest'
import { codeUses } from './code-uses.ts'

const at = (minute: number): string => `2026-11-21T08:${String(minute).padStart(2, '0')}:00.000Z`

it('openings of a code are counted by direction, whatever their order (VIS-2)', () => {
  const openings = [
    { direction: 'exit', at: at(30) },
    { direction: 'entrance', at: at(5) },
  ] as const
  expect(codeUses(openings, false)).toEqual({ entrances: 1, exits: 1, enteredAt: at(5), leftAt: at(30) })
  expect(codeUses([...openings, { direction: 'entrance', at: at(40) }], false)).toEqual({
    entrances: 2,
    exits: 1,
    enteredAt: at(5),
    leftAt: undefined,
  })
})

it('a door for both directions lets in and out in turn (VIS-2)', () => {
  const opening = (minute: number) => ({ direction: 'both', at: at(minute) }) as const
  expect(codeUses([opening(1)], false)).toMatchObject({ entrances: 1, exits: 0 })
  expect(codeUses([opening(1)], true)).toMatchObject({ entrances: 0, exits: 1, leftAt: at(1) })
  expect(codeUses([opening(1), opening(2), opening(3)], false)).toMatchObject({ entrances: 2, exits: 1 })
})

it('who is not inside does not leave (VIS-2)', () => {
  const exits = [
    { direction: 'exit', at: at(1) },
    { direction: 'entrance', at: at(2) },
    { direction: 'exit', at: at(3) },
    { direction: 'exit', at: at(4) },
  ] as const
  expect(codeUses(exits, false)).toEqual({ entrances: 1, exits: 1, enteredAt: at(2), leftAt: at(3) })
})
