import { expect, it } from 'vitest'
import { asMoment, type Moment } from '#kit/domain/moment.ts'
import { decideGroupRights, type GroupStay } from './group-right.ts'

const at = (minute: number): Moment =>
  asMoment(
    `2026-11-21 ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`,
  )

const stay = (plateNo: string, from: number, to?: number): GroupStay => ({
  plateNo,
  inTime: at(from),
  ...(to === undefined ? {} : { outTime: at(to) }),
})

const rightsOf = (stays: readonly GroupStay[], places: number, switches: boolean) =>
  decideGroupRights(stays, places, switches).map(row => row.rightFrom)

it('has at most as many cars on the month right as places; the next is temporary (PRK-6)', () => {
  const stays = [stay('A', 0), stay('B', 10), stay('C', 20)]
  expect(rightsOf(stays, 2, true)).toEqual([at(0), at(10), undefined])
})

it('gives the right of one that leaves to the one that waits longest', () => {
  const stays = [stay('A', 0, 30), stay('B', 10), stay('C', 20), stay('D', 25)]
  expect(rightsOf(stays, 2, true)).toEqual([at(0), at(10), at(30), undefined])
  expect(rightsOf(stays, 2, false)).toEqual([at(0), at(10), undefined, undefined])
})

it('gives nothing to who has left before a place was free', () => {
  expect(rightsOf([stay('A', 0, 30), stay('B', 10, 20), stay('C', 15)], 1, true)).toEqual([
    at(0),
    undefined,
    at(30),
  ])
})

it('lets one in on the place of another that leaves in the same moment', () => {
  expect(rightsOf([stay('A', 0, 30), stay('B', 30)], 1, false)).toEqual([at(0), at(30)])
})

/** The same, minute by minute: who is inside, who of them is on the right. */
function simulate(stays: readonly GroupStay[], places: number, switches: boolean): (Moment | undefined)[] {
  const rights: (Moment | undefined)[] = stays.map(() => undefined)
  const indexes = stays.map((_, i) => i)
  const isInside = (i: number, now: Moment): boolean => {
    const { inTime, outTime } = stays[i] ?? { inTime: now }
    return inTime <= now && (outTime === undefined || outTime > now)
  }
  const count = (now: Moment): number =>
    indexes.filter(i => rights[i] !== undefined && isInside(i, now)).length
  for (let minute = 0; minute < 60; minute++) {
    const now = at(minute)
    const came = indexes.filter(i => stays[i]?.inTime === now)
    const waiting = indexes
      .filter(i => rights[i] === undefined && isInside(i, now) && !came.includes(i))
      .toSorted((a, b) => ((stays[a]?.inTime ?? '') < (stays[b]?.inTime ?? '') ? -1 : a - b))
    for (const i of switches ? waiting : []) {
      if (count(now) < places) {
        rights[i] = now
      }
    }
    for (const i of came) {
      if (count(now) < places) {
        rights[i] = now
      }
    }
  }
  return rights
}

it('agrees with the minutes of many random days', () => {
  let seed = 20_261_121
  const next = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * limit)
  }
  for (let run = 0; run < 400; run++) {
    const entries = new Set<number>()
    while (entries.size < 1 + next(7)) {
      entries.add(next(40))
    }
    const stays = [...entries].map((from, i) =>
      next(4) === 0 ? stay(`P${i}`, from) : stay(`P${i}`, from, from + 1 + next(18)),
    )
    const places = 1 + next(3)
    const switches = next(2) === 0
    expect([run, rightsOf(stays, places, switches)]).toEqual([run, simulate(stays, places, switches)])
  }
})
