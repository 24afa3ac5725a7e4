import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import type { Tx } from '#kit/server/db.ts'
import { insertAll } from '#kit/server/table.ts'
import { addDays, dayOf, type Day } from '#kit/domain/day.ts'
import { publicArea, type PublicArea } from '#modules/estates/contract/public-area.ts'
import { building, unit, type Building } from '#modules/estates/contract/building.ts'
import { estate, type Estate } from '#modules/estates/contract/estate.ts'
import { planUnits } from '#modules/estates/domain/units.ts'
import type { Park } from '#modules/parking/contract/park.ts'
import type { ParkPlace } from '#modules/parking/contract/park-place.ts'
import { room, type Room } from '#modules/rooms/contract/room.ts'
import type { RoomState } from '#modules/rooms/contract/labels.ts'
import { roomPathOf, planRoomBatch, roomSortKeyOf } from '#modules/rooms/domain/room-numbering.ts'
import type { Random } from './names.ts'
import { distribute, seededRandom } from './random.ts'
import { seedDay } from './seed-day.ts'
import { seedParking } from './seed-parking.ts'

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

/** The morning on which golden companies stand still. */
const goldenTime = '2026-11-21T01:00:00.000Z'

/** The owner of a company as the one who acts, at a time (ISO 8601). */
export const ownerScope = (ownerId: Id, operatorId: Id, name: string, time = goldenTime): Scope => ({
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
  time,
})

const sizes = [89.42, 113.9, 128.05, 142.36]
const layouts = ['2室1厅', '3室2厅', '3室2厅', '4室2厅']
const facings = ['南', '南北', '东南', '西南']
/** The staircases of a building, with their names. */
const unitsOf = ({ floors, units = 1, unitType = 'number', unitNames }: PlannedBuilding) =>
  planUnits({ units, unitType, floors: [String(floors)], ...(unitNames ? { unitNames } : {}) })

interface RoomPlan {
  readonly projectCode: string
  readonly today: Day
  readonly random: Random
}

/** The rooms of a building; their codes are numbered from `from`. */
function roomsOf(
  { projectCode, today, random }: RoomPlan,
  b: PlannedBuilding,
  from: number,
): Partial<Room>[] {
  const units = unitsOf(b)
  const planned = planRoomBatch(
    units.map(u => ({ name: u.name, floorCount: u.floors })),
    1,
    b.floors,
    b.perFloor,
  )
  const states = distribute<RoomState>(b.states ?? {}, 'lived', planned.length, random)
  const type = b.roomType ?? 'home'
  const areas = b.areas ?? sizes
  return planned.map((p, i) => {
    const nth = Number(p.roomNo.slice(-2)) - 1
    const build = defined(areas[nth % areas.length])
    const state = states[i]
    const home = type === 'home'
    const at = { building: b.name, unit: p.unitName, floor: p.floorNum, roomNo: p.roomNo }
    const handed = state !== 'unsold' && state !== 'pending'
    const day = dayOf(2021 + random(4), 1 + random(12), 1 + random(28))
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
      ...(state === 'fitting' ? { decorateBegin: addDays(today, -44) } : {}),
    }
  })
}

/** The buildings of an estate and their units. */
async function seedBuildings(tx: Tx, scope: Scope, { projectCode, buildings }: PlannedEstate): Promise<void> {
  await insertAll(
    tx,
    building,
    scope,
    buildings.map((planned, i) => {
      const { floors, perFloor: _, roomType: __, states: ___, areas: ____, ...values } = planned
      return {
        projectCode,
        units: 1,
        unitType: 'number',
        undergroundFloors: 0,
        sort: i + 1,
        ...values,
        floors: [String(floors)],
        unitNames: unitsOf(planned).map(({ name }) => name),
      }
    }),
  )
  await insertAll(
    tx,
    unit,
    scope,
    buildings.flatMap((planned, i) =>
      unitsOf(planned).map(({ name, floors }, j) => ({
        projectCode,
        buildCode: planned.code,
        code: `U${String(i + 1).padStart(3, '0')}${String(j + 1).padStart(2, '0')}`,
        name,
        floorCount: floors,
        undergroundFloors: planned.undergroundFloors ?? 0,
        sort: j + 1,
      })),
    ),
  )
}

/** An estate with all that is in it, each kind in one statement. */
export async function seedEstate(tx: Tx, scope: Scope, plan: PlannedEstate, seed: number): Promise<void> {
  const { buildings, publicAreas = [], parks: _, ...values } = plan
  const random = seededRandom(seed)
  const { projectCode } = plan
  await insertAll(tx, estate, scope, [
    {
      projectType: 'housing',
      state: 'on',
      feeMode: 'lump',
      houseCount: buildings.reduce((sum, b) => sum + b.floors * b.perFloor * (b.units ?? 1), 0),
      ...values,
    },
  ])
  await seedBuildings(tx, scope, plan)
  const rooms: Partial<Room>[] = []
  for (const planned of buildings) {
    rooms.push(...roomsOf({ projectCode, today: seedDay(scope), random }, planned, rooms.length + 1))
  }
  await insertAll(tx, room, scope, rooms)
  await insertAll(
    tx,
    publicArea,
    scope,
    publicAreas.map(area => ({ ...area, projectCode })),
  )
  await seedParking(tx, scope, plan, rooms, random)
}
