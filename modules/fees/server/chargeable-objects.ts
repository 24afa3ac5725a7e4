import { keysOfRecord } from '#kit/domain/records.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, type ChoiceOf, type Choices } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import type { Entity } from '#kit/contract/entity.ts'
import { company, companyState } from '#modules/companies/contract/company.ts'
import { areaType, publicArea, rentState } from '#modules/estates/contract/public-area.ts'
import { car } from '#modules/parking/contract/car.ts'
import { parkPlace } from '#modules/parking/contract/park-place.ts'
import { carState } from '#modules/parking/contract/car-labels.ts'
import { placeState, placeType } from '#modules/parking/contract/labels.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { roomState, roomType } from '#modules/rooms/contract/labels.ts'
import type { BindFilters } from '../contract/binding-calls.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'

export type SourceType = ChoiceOf<typeof sourceType>
type Sql = RawBuilder<unknown>

/** How the objects of one type are stored; `t` is the alias of their table. */
interface ObjectKind {
  readonly entity: Entity
  /** SQL of the code that relations use, and of the name. */
  readonly code: Sql
  readonly name: Sql
  readonly build: Sql
  /** May be charged. */
  readonly open: Sql
  /** Its scene's code (FEE-9). */
  readonly scene: Sql
  readonly order: Sql
  /** The conditions of the filters that apply to this type. */
  readonly within: (q: BindFilters) => readonly (Sql | undefined | false)[]
}

const matchesAny = (at: Sql, values: readonly string[] | undefined): Sql | undefined =>
  values?.length ? sql`${at} = any(${[...values]}::text[])` : undefined

const matchesAnyCode = (at: Sql, of: Choices, keys: readonly string[] | undefined): Sql | undefined =>
  keys?.length ? sql`${at} = any(${keys.map(k => codeOf(of, k))}::int[])` : undefined

const isAtLeast = (at: Sql, v: unknown): Sql | undefined => (v === undefined ? undefined : sql`${at} >= ${v}`)
const isAtMost = (at: Sql, v: unknown): Sql | undefined => (v === undefined ? undefined : sql`${at} <= ${v}`)

/** The types that can be charged. Leases, residents and merchants are added here when they can. */
const objectKinds: Readonly<Partial<Record<SourceType, ObjectKind>>> = {
  room: {
    entity: room,
    code: sql`t.code`,
    name: sql`t.path`,
    build: sql`t.build_code`,
    open: sql`t.state = ${code(enabledState, 'on')}`,
    scene: sql`case
      when t.room_type = ${code(roomType, 'shop')} then ${code(scene, 'shop')}::int
      else ${code(scene, 'room')}::int
      end`,
    order: sql`t.sort_key`,
    within: query => [
      matchesAny(sql`t.build_code`, query.buildCodes),
      matchesAny(sql`t.unit_name`, query.unitNames),
      matchesAnyCode(sql`t.room_type`, roomType, query.roomTypes),
      matchesAnyCode(sql`t.room_state`, roomState, query.roomStates),
      isAtLeast(sql`t.floor_num`, query.floorFrom),
      isAtMost(sql`t.floor_num`, query.floorTo),
      isAtLeast(sql`coalesce(t.charge_area, t.build_area)`, query.areaFrom),
      isAtMost(sql`coalesce(t.charge_area, t.build_area)`, query.areaTo),
      isAtLeast(sql`t.deliver_date`, query.deliveredFrom),
      isAtMost(sql`t.deliver_date`, query.deliveredTo),
    ],
  },
  parkPlace: {
    entity: parkPlace,
    code: sql`t.code`,
    name: sql`t.place_no`,
    build: sql`null::text`,
    open: sql`t.place_state <> ${code(placeState, 'off')}`,
    scene: sql`${code(scene, 'parkPlace')}::int`,
    order: sql`t.sort_key`,
    within: query => [
      query.parkIds?.length ? sql`t.park_id = any(${query.parkIds.map(parseId)}::bigint[])` : undefined,
      matchesAny(sql`t.area_name`, query.placeAreas),
      matchesAnyCode(sql`t.place_state`, placeState, query.placeStates),
      matchesAnyCode(sql`t.place_type`, placeType, query.placeTypes),
      isAtLeast(sql`t.area`, query.areaFrom),
      isAtMost(sql`t.area`, query.areaTo),
    ],
  },
  car: {
    entity: car,
    code: sql`t.id::text`,
    // A plate may have been registered again since.
    name: sql`case
      when t.car_state = ${code(carState, 'cancelled')} then t.plate_no || '（已注销）'
      else t.plate_no
      end`,
    build: sql`null::text`,
    open: sql`t.car_state not in ${codes(carState, 'pending', 'cancelled')}`,
    scene: sql`${code(scene, 'car')}::int`,
    order: sql`t.plate_no`,
    within: () => [],
  },
  publicArea: {
    entity: publicArea,
    code: sql`t.code`,
    name: sql`t.name`,
    build: sql`t.build_code`,
    open: sql`true`,
    scene: sql`${code(scene, 'area')}::int`,
    order: sql`t.code`,
    within: query => [
      matchesAny(sql`t.build_code`, query.buildCodes),
      matchesAnyCode(sql`t.area_type`, areaType, query.areaTypes),
      matchesAnyCode(sql`t.rent_state`, rentState, query.rentStates),
      isAtLeast(sql`t.area`, query.areaFrom),
      isAtMost(sql`t.area`, query.areaTo),
    ],
  },
  company: {
    entity: company,
    code: sql`t.company_no`,
    name: sql`t.name`,
    build: sql`null::text`,
    open: sql`t.state = ${code(companyState, 'here')}`,
    scene: sql`${code(scene, 'company')}::int`,
    order: sql`t.name`,
    within: () => [],
  },
}

const sourceTypeRows = sourceType.rows

export const getObjectKind = (type: SourceType): ObjectKind =>
  objectKinds[type] ?? refuse(`${sourceTypeRows[type][1]}暂不能绑定收费标准`)

export const listChargeableTypes = (): SourceType[] => keysOfRecord(objectKinds)

/** The objects of a type within the caller's domain, as `code, name, build_code, open, scene, sort`. */
export function selectObjects(
  scope: Scope,
  project: string,
  type: SourceType,
  which: { readonly codes?: readonly string[] | undefined; readonly reach?: BindFilters | undefined },
): Sql {
  const objectKind = getObjectKind(type)
  const { codes: chosen, reach } = which
  const where = [
    tenantFilter(objectKind.entity, scope, project),
    ...(chosen ? [sql`${objectKind.code} = any(${[...chosen]}::text[])`] : []),
    ...(reach ? objectKind.within(reach).filter((x): x is Sql => Boolean(x)) : []),
    ...(reach?.except?.length ? [sql`${objectKind.code} <> all(${[...reach.except]}::text[])`] : []),
  ]
  return sql`
    select ${objectKind.code} as code, ${objectKind.name} as name, ${objectKind.build} as build_code, ${objectKind.open} as open,
      ${objectKind.scene} as scene, ${objectKind.order} as sort
    from ${sql.table(objectKind.entity.table)} t
    where ${sql.join(where, sql` and `)}
  `
}

/**
 * Every object of a chargeable type in a company, as `project_code, type, code, name, build_code`: for
 * keeping the names in relations up to date.
 */
export const selectNamedObjects = (ownerId: Id): Sql =>
  sql.join(
    listChargeableTypes().map(type => {
      const objectKind = defined(objectKinds[type])
      return sql`
        select t.project_code, ${code(sourceType, type)}::smallint as type, ${objectKind.code} as code,
          ${objectKind.name} as name, ${objectKind.build} as build_code
        from ${sql.table(objectKind.entity.table)} t
        where t.owner_id = ${ownerId} and ${notDeleted('t')}
      `
    }),
    sql` union all `,
  )
