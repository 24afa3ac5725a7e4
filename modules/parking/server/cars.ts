import { labelOf } from '#kit/contract/field.ts'
import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { canNamePlaces } from '#kit/domain/address.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { hasPermission, type Caller } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { code } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { roomCodesByKeyword } from '#modules/rooms/server/public.ts'
import { cars, type Car } from '../contract/car.ts'
import { exportCars } from '../contract/car-sheet.ts'
import { carState } from '../contract/car-labels.ts'
import { normalizePlate } from '../contract/licence-plate.ts'
import { parkPlace } from '../contract/park-place.ts'
import { carDaysFault, stateByDays } from '../domain/car-state.ts'
import { menu } from '../module.ts'
import { carImport } from './car-import.ts'
import { ownerFaults, keptOwner, withOwners } from './car-owner.ts'
import { withGroups } from './group-of-car.ts'
import { lockCarsOfPlaces, logValidity } from './car-validity.ts'

export const carSearchText = { names: ['ownerName', 'plateNo'], codes: ['plateNo', 'mobile'] } as const

type Draft = Pick<
  Car,
  | 'plateNo'
  | 'placeId'
  | 'carKind'
  | 'beginDate'
  | 'endDate'
  | 'userId'
  | 'companyId'
  | 'workerId'
  | 'ownerName'
  | 'mobile'
>

/** PRK-7: a place that is given out, and no more cars than it takes. The place is locked. */
async function placeFaults(
  { placeId }: Draft,
  { tx, scope }: WriteContext,
  before: Car | undefined,
): Promise<FieldFault[]> {
  if (!placeId || placeId === before?.placeId) return []
  const [place] = await findByIds(tx, parkPlace, scope, [placeId], { lock: true })
  if (!place) return []
  const fault = (Message: string): FieldFault[] => [{ Field: 'PlaceID', Message }]
  if (place.placeState === 'free' || place.placeState === 'off')
    return fault(`车位「${place.placeNo}」未售、未租，不能绑定车辆；请先变更车位状态`)
  const limit = place.carLimit ?? 1
  const bound = (await lockCarsOfPlaces(tx, scope, [placeId])).filter(row => row.id !== before?.id)
  if (bound.length < limit) return []
  const plates = bound.map(row => row.plateNo).join('、')
  return fault(`车位「${place.placeNo}」最多绑定 ${limit} 辆车，已有 ${plates}；请先解除，或修改可绑车数`)
}

async function carFaults(draft: Draft, c: WriteContext, before: Car | undefined): Promise<FieldFault[]> {
  if (before?.carState === 'cancelled') return refuse('车辆已注销，不能修改；需要时请重新登记')
  const days = before ? undefined : carDaysFault(draft)
  const isPlateFreed = before?.carState === 'blocked' && normalizePlate(draft.plateNo) !== before.plateNo
  return [
    ...(isPlateFreed ? [{ Field: 'PlateNo', Message: '车辆在黑名单中，不能改车牌；请先移出黑名单' }] : []),
    ...(days ? [{ Field: 'EndDate', Message: days }] : []),
    ...(await ownerFaults(draft, c)),
    ...(await placeFaults(draft, c, before)),
  ]
}

/** Who may check cars registers them as checked. */
const stateOfNew = (caller: Caller, { endDate }: Draft, today: Day) =>
  hasPermission(caller, menu.car.permissions.audit) ? stateByDays(endDate, today) : ('pending' as const)

const storedValues = async (draft: Draft, c: WriteContext) => ({
  plateNo: normalizePlate(draft.plateNo),
  ...(await keptOwner(draft, c)),
})

/** By the plate, the owner, and the home. */
const keywordCondition = (word: string, { scope: { ownerId } }: CrudContext): RawBuilder<unknown> => {
  const plate = normalizePlate(word)
  const conditions = [
    matchesSearchText(word),
    ...(plate === '' || plate === word ? [] : [matchesSearchText(plate)]),
    ...(canNamePlaces(word)
      ? [sql`(t.project_code, t.room_code) in (${roomCodesByKeyword(ownerId, word)})`]
      : []),
  ]
  return sql`(${sql.join(conditions, sql` or `)})`
}

interface CarQuery {
  readonly userId?: Id | undefined
  readonly companyId?: Id | undefined
  readonly expiresWithin?: number | undefined
}

function carFilter({ userId, companyId, expiresWithin }: CarQuery, { today }: CrudContext) {
  return [
    ...(userId === undefined ? [] : [sql`t.user_id = ${userId}`]),
    ...(companyId === undefined ? [] : [sql`t.company_id = ${companyId}`]),
    ...(expiresWithin === undefined
      ? []
      : [
          sql`t.car_state = ${code(carState, 'normal')}`,
          sql`t.end_date between ${today}::date and ${addDays(today, expiresWithin)}::date`,
        ]),
  ]
}

function assertDeletable(rows: readonly Car[]): void {
  const used = rows.find(row => row.carState !== 'pending' && row.carState !== 'cancelled')
  if (used)
    refuse(
      `车辆「${used.plateNo}」为“${labelOf(carState, used.carState)}”，只能删除待审核、已注销的车辆，请先注销`,
    )
}

export const carServer = crudHandlers(cars, {
  searchText: carSearchText,
  pictures: ['license'],
  unique: { car_plate_live: '该项目已有此车牌；已拉黑的请先移出黑名单' },
  refusesChangeOf: ['projectCode'],
  keyword: keywordCondition,
  filter: carFilter,
  enrich: async (rows, { db, scope }) =>
    withGroups(db, scope.ownerId, await withOwners(db, scope.ownerId, rows)),
  check: carFaults,
  beforeInsert: async (draft, c) => ({
    ...(await storedValues(draft, c)),
    carState: stateOfNew(c.scope, draft, c.today),
  }),
  beforeUpdate: storedValues,
  beforeDelete: async rows => assertDeletable(rows),
  afterInsert: async (row, { tx, scope }) => {
    if (row.beginDate ?? row.endDate) {
      await logValidity(tx, scope, 'registered', [{ car: row, after: row }])
    }
  },
  import: carImport,
  export: exportCars,
})
