import { defined } from '#kit/domain/defined.ts'
import { dayOf } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { park } from '#modules/parking/contract/park.ts'
import { parkPlace, type ParkPlace } from '#modules/parking/contract/park-place.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import type { Random } from './names.ts'
import { distribute, shuffle } from './random.ts'
import { seedDay } from './seed-day.ts'
import type { PlannedEstate, PlannedPark } from './seed-estate.ts'

/** The car parks of an estate with their places. */
export async function seedParking(
  tx: Tx,
  scope: Scope,
  { projectCode, parks = [] }: PlannedEstate,
  rooms: readonly Partial<Room>[],
  random: Random,
): Promise<void> {
  const parkIds = await insertAll(
    tx,
    park,
    scope,
    parks.map(({ areas, states: _, ...values }) => {
      const total = Object.values(areas).reduce((a, b) => a + b, 0)
      return {
        parkType: 'below',
        fullPolicy: 'refuse',
        state: 'on',
        totalPlace: total,
        tempPlace: Math.floor(total / 10),
        reservedPlace: total - Math.floor(total / 10),
        ...values,
        projectCode,
      }
    }),
  )
  await insertAll(
    tx,
    parkPlace,
    scope,
    planPlaces({ projectCode, parks, parkIds, rooms, random, year: Number(seedDay(scope).slice(0, 4)) }),
  )
}

interface PlacePlan {
  readonly projectCode: string
  readonly parks: readonly PlannedPark[]
  readonly parkIds: readonly Id[]
  readonly rooms: readonly Partial<Room>[]
  readonly random: Random
  /** What is let is let for this year. */
  readonly year: number
}

/** The places of all parks, numbered through; those sold or let go round the lived-in rooms. */
function planPlaces({ projectCode, parks, parkIds, rooms, random, year }: PlacePlan) {
  const homes = shuffle(
    rooms.filter(room => room.roomState === 'lived' || room.roomState === 'let'),
    random,
  )
  let ownedPlaces = 0
  let placeNumber = 0
  return parks.flatMap(({ areas, states }, i) => {
    const places = placesOf(areas)
    const placeStates = distribute<ParkPlace['placeState']>(states, 'free', places.length, random)
    return places.map((place, k) => {
      const state = defined(placeStates[k])
      const isTaken = state === 'sold' || state === 'let'
      const owner = isTaken ? homes[ownedPlaces++ % Math.max(1, homes.length)] : undefined
      return {
        projectCode,
        parkId: parkIds[i],
        code: `C${String(++placeNumber).padStart(6, '0')}`,
        ...place,
        sortKey: naturalSortKey(place.placeNo),
        placeType:
          k % 17 === 3 ? ('charge' as const) : k % 41 === 7 ? ('access' as const) : ('plain' as const),
        placeState: state,
        carLimit: 1,
        area: '12.72',
        ownKind:
          state === 'sold'
            ? ('owned' as const)
            : state === 'let'
              ? ('rented' as const)
              : ('shelter' as const),
        ...(owner ? { roomCode: owner.code } : {}),
        ...(state === 'let' ? { beginDate: dayOf(year, 1, 1), endDate: dayOf(year, 12, 31) } : {}),
      }
    })
  })
}

/** The places of each area, numbered from 1. */
const placesOf = (areas: Readonly<Record<string, number>>): { areaName: string; placeNo: string }[] =>
  Object.entries(areas).flatMap(([areaName, count]) =>
    Array.from({ length: count }, (_, k) => ({
      areaName,
      placeNo: `${areaName.replace(/区$/, '')}-${String(k + 1).padStart(3, '0')}`,
    })),
  )
