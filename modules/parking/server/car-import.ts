import { defineImport, type LineFault } from '#kit/server/crud-import.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { defined } from '#kit/domain/defined.ts'
import { residentState } from '#modules/residents/contract/labels.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { importCars } from '../contract/car-sheet.ts'
import { cars, type Car } from '../contract/car.ts'
import { carState } from '../contract/car-labels.ts'
import { placeState } from '../contract/labels.ts'
import { carDaysFault, carOwnerFault, stateByDays } from '../domain/car-state.ts'
import { menu } from '../module.ts'
import { logValidity } from './car-validity.ts'

interface SheetPlace {
  readonly id: Id
  readonly placeNo: string
  readonly parkName: string
  readonly limit: number
  readonly cars: number
  readonly isTaken: boolean
}

interface SheetPerson {
  readonly id: Id
  readonly name: string
  readonly mobile: string
}

interface CarReferences {
  readonly places: readonly SheetPlace[]
  readonly roomCodes: ReadonlyMap<string, ReadonlySet<string>>
  readonly people: ReadonlyMap<string, SheetPerson>
}

/** Places of the project with how many cars each has; `isTaken`: sold, let or the company's own. */
const findPlaces = (db: Db, ownerId: Id, project: string): Promise<SheetPlace[]> =>
  db.rows<SheetPlace>(sql`
    select p.id, p.place_no, k.name as park_name, coalesce(p.car_limit, 1) as limit,
      p.place_state in ${codes(placeState, 'sold', 'let', 'own')} as is_taken,
      (
        select count(*)::int
        from car c
        where c.owner_id = ${ownerId}
          and c.place_id = p.id
          and c.car_state <> ${code(carState, 'cancelled')}
          and ${notDeleted('c')}
      ) as cars
    from park_place p
    join park k on k.owner_id = ${ownerId} and k.id = p.park_id
    where p.owner_id = ${ownerId} and p.project_code = ${project} and ${notDeleted('p')}
  `)

async function findRoomCodes(
  db: Db,
  scope: Scope,
  projectCode: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>()
  if (!names.length) return found
  const where = [sql`(t.path = any(${[...names]}) or t.code = any(${[...names]}))`]
  const options = { where, keys: ['code', 'path'], limit: 40_000 }
  for (const row of await findAll(db, room, scope, { projectCode }, options)) {
    const roomCode = defined(row.code)
    for (const name of [row.path, roomCode]) {
      found.set(name, (found.get(name) ?? new Set()).add(roomCode))
    }
  }
  return found
}

/** Residents by telephone: a line that has the name and the number of one is that person's car. */
async function findPeople(
  db: Db,
  ownerId: Id,
  mobiles: readonly string[],
): Promise<ReadonlyMap<string, SheetPerson>> {
  if (!mobiles.length) return new Map()
  const rows = await db.rows<SheetPerson>(sql`
    select id, name, mobile
    from resident
    where owner_id = ${ownerId}
      and mobile = any(${[...mobiles]})
      and state = ${code(residentState, 'normal')}
      and ${notDeleted()}
  `)
  return new Map(rows.map(row => [row.mobile, row]))
}

type Row = Partial<NonNullable<typeof importCars.schema.T>>

const personOf = (row: Row, { people }: CarReferences): SheetPerson | undefined => {
  const person = row.mobile === undefined ? undefined : people.get(row.mobile)
  return person && person.name === row.ownerName ? person : undefined
}

/** The days of a registered car change by their own call alone. */
function dayFaults(row: Row, existing: Car | undefined): LineFault[] {
  if (existing) {
    const isChanged = (key: 'beginDate' | 'endDate'): boolean =>
      row[key] !== undefined && row[key] !== existing[key]
    return (['beginDate', 'endDate'] as const).filter(isChanged).map(column => ({
      column,
      message: '已登记车辆的有效期不能由导入修改',
      remedy: '不填，在“车辆管理”中用“调整有效期”',
    }))
  }
  const message = carDaysFault({ ...row, carKind: row.carKind ?? 'month' })
  return message ? [{ column: 'endDate', message, remedy: '核对有效期' }] : []
}

function placeFault(
  row: Row,
  existing: Car | undefined,
  data: CarReferences,
  linesOf: (placeId: Id) => number,
): LineFault[] {
  const { placeId } = row
  if (placeId === undefined || placeId === existing?.placeId) return []
  const place = data.places.find(({ id }) => id === placeId)
  if (!place) return []
  const fault = (message: string, remedy: string): LineFault[] => [{ column: 'placeId', message, remedy }]
  if (!place.isTaken) return fault(`车位「${place.placeNo}」未售、未租`, '先变更车位状态，或不填车位')
  return place.cars + linesOf(placeId) > place.limit
    ? fault(`车位「${place.placeNo}」最多绑定 ${place.limit} 辆车`, '减少车辆，或修改车位的可绑车数')
    : []
}

export const carImport = defineImport(cars, importCars, {
  match: ['plateNo'],
  matchWhere: { plateNo: sql`t.car_state <> ${code(carState, 'cancelled')}` },
  lockExisting: true,
  load: async (db, { scope, extraInput: { projectCode } }, _lock, lines): Promise<CarReferences> => ({
    places: await findPlaces(db, scope.ownerId, projectCode),
    roomCodes: await findRoomCodes(db, scope, projectCode, [
      ...new Set(lines.flatMap(line => line.referenceNames.roomCode ?? [])),
    ]),
    people: await findPeople(db, scope.ownerId, [...new Set(lines.flatMap(line => line.row.mobile ?? []))]),
  }),
  references: {
    placeId: (name, { places }) =>
      places
        .filter(place => place.placeNo === name || `${place.parkName} ${place.placeNo}` === name)
        .map(({ id }) => id),
    roomCode: (name, { roomCodes }) => [...(roomCodes.get(name) ?? [])],
  },
  rules: (row, existing, file) => {
    const owner = existing ? undefined : carOwnerFault(row)
    const linesOf = (placeId: Id): number => file.lines.filter(line => line.row.placeId === placeId).length
    return [
      ...dayFaults(row, existing),
      ...placeFault(row, existing, file.data, linesOf),
      ...(owner ? [{ column: 'ownerName', message: '未填写车主', remedy: '填写车主姓名' }] : []),
      ...(row.mobile?.includes('**')
        ? [{ column: 'mobile', message: '手机含有星号', remedy: '填写完整的号码' }]
        : []),
    ]
  },
  values: (row, { request, data }, existing) => {
    const person = personOf(row, data)
    const owner = person ? { userId: person.id } : {}
    if (existing) return { ...row, ...owner }
    const isChecked = hasPermission(request.scope, menu.car.permissions.audit)
    return {
      ...row,
      ...owner,
      carState: isChecked ? stateByDays(row.endDate, request.today) : ('pending' as const),
    }
  },
  afterWrite: async (tx, { added }, { request }) => {
    const dated = added.filter(({ lines: [line] }) => line?.row.beginDate ?? line?.row.endDate)
    await logValidity(
      tx,
      request.scope,
      'registered',
      dated.flatMap(({ id, lines: [line] }) =>
        line
          ? [
              {
                car: { id, projectCode: request.extraInput.projectCode, plateNo: line.row.plateNo ?? '' },
                after: line.row,
              },
            ]
          : [],
      ),
      '批量导入',
    )
  },
  texts: { duplicate: '未导入：车牌与其他车辆重复' },
})
