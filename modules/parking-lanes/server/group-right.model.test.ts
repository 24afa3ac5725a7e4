import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { decideGroupRights, type GroupStay } from './group-right.fixtures.ts'
import { ParkSite } from './park-site.fixtures.ts'

let t: GoldenApp
let site: ParkSite

beforeAll(async () => {
  t = await openGoldenApp()
  site = await ParkSite.open(t, await t.owner)
  await site.addRule()
})

afterAll(() => t?.close())

const midnight: Moment = '2026-11-03 00:00:00'
let seed = 20_261_129
const next = (limit: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * limit)
}

let plates = 40_000

function randomStays(): GroupStay[] {
  const minutes = new Set<number>()
  const count = 2 + next(5)
  while (minutes.size < count) {
    minutes.add(next(40))
  }
  return [...minutes].map(minute => ({
    plateNo: `粤C${++plates}`,
    inTime: addMinutes(midnight, minute),
    ...(next(4) === 0 ? {} : { outTime: addMinutes(midnight, minute + 1 + next(18)) }),
  }))
}

interface PassageEvent {
  readonly way: 'in' | 'out'
  readonly plateNo: string
  readonly at: Moment
}

/** In the order of their time; of one moment the exits first. */
const eventsOf = (stays: readonly GroupStay[]): PassageEvent[] =>
  stays
    .flatMap(({ plateNo, inTime, outTime }): PassageEvent[] => [
      { way: 'in', plateNo, at: inTime },
      ...(outTime === undefined ? [] : [{ way: 'out' as const, plateNo, at: outTime }]),
    ])
    .toSorted((a, b) => (a.at === b.at ? (a.way === 'out' ? -1 : 1) : a.at < b.at ? -1 : 1))

async function rightFromOf(plateNo: string): Promise<Moment | undefined> {
  const { carKind, inTime, chargedTo } = defined((await site.stays(plateNo))[0])
  return carKind === 'month' ? inTime : chargedTo
}

it('lanes give the places of groups as those of the whole day at once (PRK-6)', async () => {
  for (let run = 0; run < 14; run++) {
    const stays = randomStays()
    const places = 1 + next(Math.min(3, stays.length))
    const switchOnLeave = next(3) > 0
    const all = stays.map(stay => stay.plateNo)
    await site.addGroup(all, places, { switchOnLeave })
    for (const { way, plateNo, at } of eventsOf(stays)) {
      await site.report(way, plateNo, at, way === 'out' ? { hasPassed: true } : {})
    }
    const rights = await Promise.all(all.map(rightFromOf))
    const expected = decideGroupRights(stays, places, switchOnLeave).map(stay => stay.rightFrom)
    expect([run, rights]).toEqual([run, expected])
  }
})
