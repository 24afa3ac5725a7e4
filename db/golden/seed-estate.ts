import { keysOfRecord } from '#kit/domain/records.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import type { Tx } from '#kit/server/db.ts'
import { insertAll } from '#kit/server/table.ts'
import { dayOf } from '#kit/domain/day.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { publicArea, type PublicArea } from '#modules/estates/contract/public-area.ts'
import { building, unit, type Building } from '#modules/estates/contract/building.ts'
import { estate, type Estate } from '#modules/estates/contract/estate.ts'
import { planUnits } from '#modules/estates/domain/units.ts'
import { park, type Park } from '#modules/parking/contract/park.ts'
import { parkPlace, type ParkPlace } from '#modules/parking/contract/park-place.ts'
import { room, type Room } from '#modules/rooms/contract/room.ts'
import type { RoomState } from '#modules/rooms/contract/labels.ts'
import { roomPathOf, planRoomBatch, roomSortKeyOf } from '#modules/rooms/domain/room-numbering.ts'

type NewRow<T> = Omit<T, 'id' | 'version' | 'createTime' | 'updateTime' | 'projectCode'>

export interface PlannedBuilding extends Omit<Partial<Building>, 'floors'> {
  readonly code: string
  readonly name: string
  readonly floors: number
  readonly perFloor: number
  readonly roomType?: Room['roomType']
  /** How many rooms are in each state; the rest are lived in. */
  readonly states?: Partial<Record<RoomState, number>>
  readonly areas?: readonly number[]
}

export interface PlannedPark extends Partial<NewRow<Park>> {
  readonly code: string
  readonly name: string
  /** Areas with their number of places. */
  readonly areas: Readonly<Record<string, number>>
  readonly states: Partial<Record<ParkPlace['placeState'], number>>
}

export interface PlannedEstate extends Partial<Omit<Estate, 'projectCode'>> {
  readonly projectCode: string
  readonly name: string
  readonly buildings: readonly PlannedBuilding[]
  readonly publicAreas?: readonly NewRow<PublicArea>[]
  readonly parks?: readonly PlannedPark[]
}

/** The owner of a company as the one who acts. */
export const ownerScope = (ownerId: Id, operatorId: Id, name: string): Scope => ({
  ownerId,
  operatorId,
  name,
  isOwner: true,
  permissions: new Set(),
  domain: unrestrictedDomain,
  canSeePersonalData: true,
  projectCode: '',
  ip: '',
  requestId: 'golden',
  time: '2026-11-21T01:00:00.000Z',
})

/** The same numbers on every machine: nothing here may depend on luck. */
export function seededRandom(seed: number): (below: number) => number {
  let x = seed >>> 0 || 1
  return below => {
    x ^= x << 13
    x >>>= 0
    x ^= x >>> 17
    x ^= x << 5
    x >>>= 0
    return x % below
  }
}

function shuffle<T>(list: readonly T[], roll: (below: number) => number): T[] {
  const all = [...list]
  for (let i = all.length - 1; i > 0; i--) {
    const j = roll(i + 1)
    ;[all[i], all[j]] = [defined(all[j]), defined(all[i])]
  }
  return all
}

const distribute = <S extends string>(
  counts: Partial<Record<S, number>>,
  rest: S,
  n: number,
  roll: (below: number) => number,
): S[] => {
  const some = keysOfRecord(counts)
    .flatMap(s => Array.from({ length: counts[s] ?? 0 }, () => s))
    .slice(0, n)
  return shuffle([...some, ...Array.from({ length: n - some.length }, () => rest)], roll)
}

const sizes = [89.42, 113.9, 128.05, 142.36]
const layouts = ['2室1厅', '3室2厅', '3室2厅', '4室2厅']
const facings = ['南', '南北', '东南', '西南']

function roomsOf(
  projectCode: string,
  b: PlannedBuilding,
  from: number,
  roll: (below: number) => number,
): Partial<Room>[] {
  const units = planUnits({
    units: b.units ?? 1,
    unitType: b.unitType ?? 'number',
    floors: [String(b.floors)],
    ...(b.unitNames ? { unitNames: b.unitNames } : {}),
  })
  const planned = planRoomBatch(
    units.map(u => ({ name: u.name, floorCount: u.floors })),
    1,
    b.floors,
    b.perFloor,
  )
  const states = distribute<RoomState>(b.states ?? {}, 'lived', planned.length, roll)
  const type = b.roomType ?? 'home'
  const areas = b.areas ?? sizes
  return planned.map((p, i) => {
    const nth = Number(p.roomNo.slice(-2)) - 1
    const build = defined(areas[nth % areas.length])
    const state = states[i]
    const home = type === 'home'
    const at = { building: b.name, unit: p.unitName, floor: p.floorNum, roomNo: p.roomNo }
    const handed = state !== 'unsold' && state !== 'pending'
    const day = dayOf(2021 + roll(4), 1 + roll(12), 1 + roll(28))
    return {
      projectCode,
      code: `R${String(from + i).padStart(6, '0')}`,
      ...p,
      buildCode: b.code,
      path: roomPathOf(at),
      sortKey: roomSortKeyOf(at),
      roomType: type,
      roomState: state,
      state: 'on',
      feeRatio: '1',
      buildArea: build.toFixed(2),
      innerArea: (build * 0.8).toFixed(2),
      shareArea: (build - Number((build * 0.8).toFixed(2))).toFixed(2),
      chargeArea: build.toFixed(2),
      ...(home
        ? {
            layout: layouts[nth % 4],
            orientation: facings[nth % 4],
            useType: state === 'let' ? 'let' : 'self',
          }
        : { useType: 'trade' }),
      ...(handed ? { deliverDate: b.deliverDate ?? '2021-06-18' } : {}),
      ...(state === 'lived' || state === 'let' ? { checkinDate: day } : {}),
      ...(state === 'fitting' ? { decorateBegin: '2026-10-08' } : {}),
    }
  })
}

/** An estate with all that stands in it, each kind in one statement. */
export async function seedEstate(tx: Tx, scope: Scope, plan: PlannedEstate, seed: number): Promise<void> {
  const { buildings, publicAreas = [], parks = [], ...own } = plan
  const roll = seededRandom(seed)
  const { projectCode } = plan
  await insertAll(tx, estate, scope, [
    {
      projectType: 'housing',
      state: 'on',
      feeMode: 'lump',
      houseCount: buildings.reduce((n, b) => n + b.floors * b.perFloor * (b.units ?? 1), 0),
      ...own,
    },
  ])
  await insertAll(
    tx,
    building,
    scope,
    buildings.map(({ floors, perFloor: _, roomType: __, states: ___, areas: ____, ...b }, i) => {
      const planned = planUnits({
        units: b.units ?? 1,
        unitType: b.unitType ?? 'number',
        floors: [String(floors)],
        ...(b.unitNames ? { unitNames: b.unitNames } : {}),
      })
      return {
        projectCode,
        units: 1,
        unitType: 'number',
        undergroundFloors: 0,
        sort: i + 1,
        ...b,
        floors: [String(floors)],
        unitNames: planned.map(p => p.name),
      }
    }),
  )
  await insertAll(
    tx,
    unit,
    scope,
    buildings.flatMap((b, i) =>
      planUnits({
        units: b.units ?? 1,
        unitType: b.unitType ?? 'number',
        floors: [String(b.floors)],
        ...(b.unitNames ? { unitNames: b.unitNames } : {}),
      }).map((u, j) => ({
        projectCode,
        buildCode: b.code,
        code: `U${String(i + 1).padStart(3, '0')}${String(j + 1).padStart(2, '0')}`,
        name: u.name,
        floorCount: u.floors,
        undergroundFloors: b.undergroundFloors ?? 0,
        sort: j + 1,
      })),
    ),
  )
  const rooms: Partial<Room>[] = []
  for (const b of buildings) {
    rooms.push(...roomsOf(projectCode, b, rooms.length + 1, roll))
  }
  await insertAll(tx, room, scope, rooms)
  await insertAll(
    tx,
    publicArea,
    scope,
    publicAreas.map(a => ({ ...a, projectCode })),
  )
  const lots = await insertAll(
    tx,
    park,
    scope,
    parks.map(({ areas, states: _, ...p }) => {
      const total = Object.values(areas).reduce((a, b) => a + b, 0)
      return {
        parkType: 'below',
        fullPolicy: 'refuse',
        state: 'on',
        totalPlace: total,
        tempPlace: Math.floor(total / 10),
        reservedPlace: total - Math.floor(total / 10),
        ...p,
        projectCode,
      }
    }),
  )
  const homes = shuffle(
    rooms.filter(r => r.roomState === 'lived' || r.roomState === 'let'),
    roll,
  )
  let home = 0
  let nth = 0
  await insertAll(
    tx,
    parkPlace,
    scope,
    parks.flatMap((p, i) => {
      const places = Object.entries(p.areas).flatMap(([areaName, n]) =>
        Array.from({ length: n }, (_, k) => ({
          areaName,
          placeNo: `${areaName.replace(/区$/, '')}-${String(k + 1).padStart(3, '0')}`,
        })),
      )
      const states = distribute<ParkPlace['placeState']>(p.states, 'free', places.length, roll)
      return places.map((x, k) => {
        const state = defined(states[k])
        const handedOver = state === 'sold' || state === 'let'
        const owner = handedOver ? homes[home++ % Math.max(1, homes.length)] : undefined
        return {
          projectCode,
          parkId: lots[i],
          code: `C${String(++nth).padStart(6, '0')}`,
          ...x,
          sortKey: naturalSortKey(x.placeNo),
          placeType: k % 17 === 3 ? 'charge' : k % 41 === 7 ? 'access' : 'plain',
          placeState: state,
          carLimit: 1,
          area: '12.72',
          ownKind: state === 'sold' ? 'owned' : state === 'let' ? 'rented' : 'shelter',
          ...(owner ? { roomCode: owner.code } : {}),
          ...(state === 'let' ? { beginDate: '2026-01-01', endDate: '2026-12-31' } : {}),
        }
      })
    }),
  )
}
