import { asId, parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Db } from '#kit/server/db.ts'
import {
  findChargedCompanies,
  findCompaniesInRooms,
  type ChargedCompany,
  type CompanySpan,
} from '#modules/companies/server/public.ts'
import { findChargedAreas } from '#modules/estates/server/public.ts'
import {
  findChargedCars,
  findChargedPlaces,
  type ChargedCar,
  type ChargedPlace,
} from '#modules/parking/server/public.ts'
import { findResidentContacts } from '#modules/residents/server/public.ts'
import {
  findChargedRooms,
  getRoomTotals,
  unitTotalKey,
  type ChargedRoom,
  type RoomTotals,
} from '#modules/rooms/server/public.ts'
import type { sourceType } from '../contract/choices.ts'
import type { SourceFacts, Source } from '../domain/standard.ts'

export type SourceType = ChoiceOf<typeof sourceType>

/** A payer as one number: residents by their id, companies by their id below zero. */
export type Payer = number
export const toCompanyPayer = (id: Id): Payer => -id

export const parsePayer = (p: Payer): { readonly kind: 'resident' | 'company'; readonly id: Id } =>
  p < 0 ? { kind: 'company', id: asId(-p) } : { kind: 'resident', id: asId(p) }

export const toPayer = (kind: 'resident' | 'company' | undefined, id: Id | undefined): Payer | undefined =>
  id === undefined ? undefined : kind === 'company' ? toCompanyPayer(id) : id

/** A charged object as billing sees it, and what bills repeat of it. */
export interface LocatedSource {
  readonly source: Source
  readonly name: string
  readonly buildCode?: string | undefined
  readonly vacant: boolean
  readonly order: string
}

export interface SourceRef {
  readonly sourceType: SourceType
  readonly sourceCode: string
}

export const sourceKey = (w: SourceRef): string => `${w.sourceType}\n${w.sourceCode}`

/** Who pays for an object on a day. */
export const findPayerAt = (s: Source, d: Day): Payer | undefined =>
  (s.payers.findLast(p => p.from <= d) ?? s.payers[0])?.payer

const earliestDay: Day = '0001-01-01'

/**
 * A company that holds a room pays for it during that time; before and after it the room's residents do
 * (BASE-16).
 */
export function mergePayers(
  residents: readonly { readonly from: Day; readonly id: Id | undefined }[],
  companySpans: readonly CompanySpan[],
): Source['payers'] {
  const residentPayers = residents.map(r => ({ from: r.from, payer: r.id }))
  if (!companySpans.length) return residentPayers
  const days = [
    ...new Set([
      ...residentPayers.map(o => o.from),
      ...companySpans.flatMap(h => [h.begin, ...(h.end ? [addDays(h.end, 1)] : [])]),
    ]),
  ].toSorted()
  const payerOn = (day: Day): Payer | undefined => {
    const companySpan = companySpans.find(h => h.begin <= day && (h.end === undefined || day <= h.end))
    return companySpan
      ? toCompanyPayer(companySpan.companyId)
      : (residentPayers.findLast(o => o.from <= day) ?? residentPayers[0])?.payer
  }
  const spans = days.map(from => ({ from, payer: payerOn(from) }))
  return spans.filter((s, i) => i === 0 || defined(spans[i - 1]).payer !== s.payer)
}

const toFacts = (room: ChargedRoom, totals: RoomTotals | undefined): SourceFacts[] =>
  room.areas.map(({ from, areas }) => ({
    from,
    buildArea: areas.buildArea,
    innerArea: areas.innerArea,
    chargeArea: areas.chargeArea,
    floor: room.floorNum,
    people: room.people,
    ...(areas.feeRatio === undefined
      ? {}
      : { ratio: areas.feeRatio, attributes: { 收费系数: areas.feeRatio } }),
    ...(totals
      ? {
          unitArea: totals.units.get(unitTotalKey(room.buildCode, room.unitName)),
          buildingArea: totals.buildings.get(room.buildCode),
          projectArea: totals.project,
          households: totals.households,
        }
      : {}),
  }))

const toRoomSource = (
  room: ChargedRoom,
  companySpans: readonly CompanySpan[],
  totals: RoomTotals | undefined,
): LocatedSource => ({
  name: room.path,
  buildCode: room.buildCode,
  order: room.sortKey,
  vacant: room.state === 'unsold' || room.state === 'pending' || room.state === 'vacant',
  source: {
    enabled: room.enabled,
    dates: { delivered: room.delivered, movedIn: room.movedIn },
    facts: toFacts(room, totals),
    payers: mergePayers(room.payers, companySpans),
  },
})

const toSimpleSource = (
  name: string,
  source: Partial<Source> & { facts: readonly SourceFacts[] },
  buildCode?: string,
): LocatedSource => ({
  name,
  buildCode,
  order: name,
  vacant: false,
  source: { enabled: true, dates: {}, payers: [], ...source },
})

const toPlaceSource = (place: ChargedPlace, room: LocatedSource | undefined): LocatedSource =>
  toSimpleSource(
    place.name,
    {
      enabled: place.enabled,
      dates: { cardFrom: place.from, cardTo: place.to },
      facts: [{ from: earliestDay, buildArea: place.area }],
      payers: room?.source.payers ?? [],
    },
    room?.buildCode,
  )

/** A car is charged to whom it belongs; one of somebody who is not registered to nobody by name. */
const toCarSource = (car: ChargedCar, room: LocatedSource | undefined): LocatedSource => {
  const payer = toPayer(car.companyId ? 'company' : 'resident', car.companyId ?? car.userId)
  return toSimpleSource(
    car.plateNo,
    {
      enabled: car.enabled,
      dates: { cardFrom: car.from, cardTo: car.to },
      facts: [{ from: earliestDay }],
      payers: payer === undefined ? [] : [{ from: earliestDay, payer }],
    },
    room?.buildCode,
  )
}

const toCompanySource = (company: ChargedCompany): LocatedSource =>
  toSimpleSource(company.name, {
    enabled: company.enabled,
    dates: { movedIn: company.inDate, leaseFrom: company.inDate },
    facts: [{ from: earliestDay, buildArea: company.area }],
    payers: [{ from: earliestDay, payer: toCompanyPayer(company.id) }],
  })

/** The records of one type by `sourceKey`, as billing sees them. */
const toSources = <T>(
  type: SourceType,
  byCode: ReadonlyMap<string, T>,
  toSource: (record: T) => LocatedSource,
): Map<string, LocatedSource> =>
  new Map(
    [...byCode].map(([code, record]) => [
      sourceKey({ sourceType: type, sourceCode: code }),
      toSource(record),
    ]),
  )

/**
 * The objects of many relations, in a constant number of round trips; those that no longer exist are left
 * out. `totals`: where a formula needs them.
 */
export async function loadSources(
  db: Db,
  ownerId: Id,
  project: string,
  refs: readonly SourceRef[],
  today: Day,
  totals?: RoomTotals,
): Promise<ReadonlyMap<string, LocatedSource>> {
  const codes = (t: SourceType): string[] => [
    ...new Set(refs.filter(w => w.sourceType === t).map(w => w.sourceCode)),
  ]
  const people = codes('resident')
    .map(parseId)
    .filter(id => id > 0)
  const [places, cars, areas, companies, residents] = await Promise.all([
    findChargedPlaces(db, ownerId, project, codes('parkPlace')),
    findChargedCars(db, ownerId, project, codes('car')),
    findChargedAreas(db, ownerId, project, codes('publicArea')),
    findChargedCompanies(db, ownerId, project, codes('company'), today),
    findResidentContacts(db, ownerId, people),
  ])
  const rooms = await findChargedRooms(db, ownerId, project, [
    ...codes('room'),
    ...[...places.values(), ...cars.values()].flatMap(p => p.roomCode ?? []),
  ])
  const companiesByRoom = await findCompaniesInRooms(
    db,
    ownerId,
    [...rooms.values()].map(r => r.id),
  )
  const roomSources = toSources('room', rooms, r => toRoomSource(r, companiesByRoom.get(r.id) ?? [], totals))
  const roomOf = ({ roomCode }: { readonly roomCode?: string | undefined }): LocatedSource | undefined =>
    roomCode === undefined
      ? undefined
      : roomSources.get(sourceKey({ sourceType: 'room', sourceCode: roomCode }))
  return new Map([
    ...roomSources,
    ...toSources('parkPlace', places, place => toPlaceSource(place, roomOf(place))),
    ...toSources('car', cars, row => toCarSource(row, roomOf(row))),
    ...toSources('publicArea', areas, a =>
      toSimpleSource(a.name, { facts: [{ from: earliestDay, buildArea: a.area }] }, a.buildCode),
    ),
    ...toSources('company', companies, toCompanySource),
    ...toSources('resident', new Map(residents.map(r => [String(r.id), r])), r =>
      toSimpleSource(r.name, {
        facts: [{ from: earliestDay }],
        payers: [{ from: earliestDay, payer: r.id }],
      }),
    ),
  ])
}

export const loadRoomTotals = (db: Db, ownerId: Id, project: string): Promise<RoomTotals> =>
  getRoomTotals(db, ownerId, project)
