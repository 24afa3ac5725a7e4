import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf } from '#kit/contract/field.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import {
  addGroupParks,
  addGroupPlates,
  carGroup,
  carGroups,
  listGroupParks,
  listGroupPlates,
  maxGroupPlates,
  removeGroupParks,
  removeGroupPlates,
  type CarGroup,
} from '../contract/car-group.ts'
import { parkList } from '../contract/car.ts'
import { carKind, carState } from '../contract/car-labels.ts'
import { normalizePlate } from '../contract/licence-plate.ts'
import { park } from '../contract/park.ts'

type Draft = Pick<
  CarGroup,
  'projectCode' | 'plateNos' | 'placeCount' | 'parkIds' | 'userId' | 'companyId' | 'beginDate' | 'endDate'
>

const platesOf = (plates: readonly string[]): string[] => [...new Set(plates.map(normalizePlate))]

/** A plate shares the places of one group of the project: one writer after the other. */
async function findOtherGroup(
  { projectCode, plateNos }: Pick<Draft, 'projectCode' | 'plateNos'>,
  { tx, scope }: WriteContext,
  id: Id | undefined,
): Promise<string | undefined> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`car groups ${scope.ownerId} ${projectCode}`}, 0))`,
  )
  const plates = platesOf(plateNos)
  const [other] = await findAll(
    tx,
    carGroup,
    scope,
    { projectCode },
    { where: [sql`t.plate_nos && ${plates}::text[]`, sql`t.id <> ${id ?? 0}`], limit: 1 },
  )
  const shared = other?.plateNos.find(plate => plates.includes(plate))
  return other && `车牌 ${shared} 已在分组「${other.groupName}」中，请先从该分组移除`
}

/** PRK-6: M places, N plates, M ≤ N. */
const countFault = ({ placeCount, plateNos }: Pick<Draft, 'placeCount' | 'plateNos'>): string | undefined => {
  const count = platesOf(plateNos).length
  if (count > maxGroupPlates) return `一个分组最多 ${maxGroupPlates} 个车牌`
  return placeCount > count ? `车位数不能多于车牌数（${count} 个）` : undefined
}

async function groupFaults(
  draft: Draft,
  c: WriteContext,
  before: CarGroup | undefined,
): Promise<FieldFault[]> {
  const count = countFault(draft)
  const other = await findOtherGroup(draft, c, before?.id)
  const { beginDate, endDate } = draft
  return [
    ...(count ? [{ Field: 'PlaceCount', Message: count }] : []),
    ...(other ? [{ Field: 'PlateNos', Message: other }] : []),
    ...(draft.userId && draft.companyId ? [{ Field: 'CompanyID', Message: '住户和企业只能选一个' }] : []),
    ...(beginDate && endDate && endDate < beginDate
      ? [{ Field: 'EndDate', Message: '有效期止不能早于有效期起' }]
      : []),
  ]
}

const storedPlates = ({ plateNos }: Pick<Draft, 'plateNos'>) => ({ plateNos: platesOf(plateNos) })

export const carGroupServer = crudHandlers(carGroups, {
  unique: { car_group_name_live: '该项目已有同名分组，请更换' },
  refusesChangeOf: ['projectCode'],
  check: groupFaults,
  beforeInsert: storedPlates,
  beforeUpdate: storedPlates,
  filter: ({ plateNo }) => (plateNo ? [sql`${normalizePlate(plateNo)} = any(t.plate_nos)`] : []),
  keyword: word => sql`(
    strpos(t.group_name, ${word}) > 0 or strpos(array_to_string(t.plate_nos, ' '), ${normalizePlate(word)}) > 0
  )`,
  enrich: async rows => rows.map(row => ({ ...row, plateCount: row.plateNos.length })),
})

interface GroupCar {
  readonly plateNo: string
  readonly carId: Id
  readonly carKind: number
  readonly carState: number
  readonly endDate?: Day
}

const findGroupCars = async (
  db: Db,
  ownerId: Id,
  group: CarGroup,
): Promise<ReadonlyMap<string, GroupCar>> => {
  const rows = await db.rows<GroupCar>(sql`
    select plate_no, id as car_id, car_kind, car_state, end_date
    from car
    where owner_id = ${ownerId}
      and project_code = ${group.projectCode}
      and plate_no = any(${[...group.plateNos]}::text[])
      and car_state <> ${code(carState, 'cancelled')}
      and ${notDeleted()}
  `)
  return new Map(rows.map(row => [row.plateNo, row]))
}

const shownCar = (row: GroupCar | undefined) =>
  row
    ? {
        carId: row.carId,
        carKind: keyOf(carKind, row.carKind),
        carState: keyOf(carState, row.carState),
        endDate: row.endDate,
      }
    : {}

/** Changes the plates or the car parks of a locked group, under the rules of its form. */
async function changeGroup(
  groupId: Id,
  change: (group: CarGroup) => Partial<Pick<CarGroup, 'plateNos' | 'parkIds'>>,
  c: WriteContext,
  reason?: string,
): Promise<void> {
  const { tx, scope } = c
  const group = await requireById(tx, carGroup, scope, groupId, { lock: true })
  const patch = change(group)
  const next = { ...group, ...patch }
  const isSame =
    next.plateNos.length === group.plateNos.length && next.parkIds.length === group.parkIds.length
  if (isSame) return refuse('分组无变化，请刷新后重新选择')
  if (!next.plateNos.length || !next.parkIds.length)
    return refuse('分组至少保留一个车牌和一个车场；不再使用的分组请停用或删除')
  const fault = countFault(next) ?? (patch.plateNos && (await findOtherGroup(next, c, group.id)))
  if (fault) return refuse(fault)
  await update(tx, carGroup, scope, groupId, patch, { reason })
}

export const carGroupHandlers = [
  reads(listGroupPlates, async ({ groupId }, { db, scope }) => {
    const group = await requireById(db, carGroup, scope, groupId)
    const found = await findGroupCars(db, scope.ownerId, group)
    return group.plateNos.map((plateNo, i) => ({
      plateNo,
      priority: i + 1,
      ...shownCar(found.get(plateNo)),
    }))
  }),
  writes(addGroupPlates, ({ groupId, plateNos }, c) =>
    changeGroup(groupId, group => ({ plateNos: platesOf([...group.plateNos, ...plateNos]) }), c),
  ),
  writes(removeGroupPlates, ({ id, plateNos, reason }, c) => {
    const removed = new Set(platesOf(plateNos))
    return changeGroup(
      id,
      group => ({ plateNos: group.plateNos.filter(plate => !removed.has(plate)) }),
      c,
      reason,
    )
  }),
  reads(listGroupParks, async ({ groupId }, { db, scope }) => {
    const group = await requireById(db, carGroup, scope, groupId)
    const found = await findByIds(db, park, scope, group.parkIds.map(parseId))
    return found.map(row => ({ parkId: row.id, name: row.name, code: row.code, state: row.state }))
  }),
  writes(addGroupParks, async ({ groupId, parkIds }, c) => {
    const { projectCode } = await requireById(c.tx, carGroup, c.scope, groupId)
    await assertReferences({ parkIds: parkList }, { projectCode, parkIds }, c)
    await changeGroup(groupId, group => ({ parkIds: [...new Set([...group.parkIds, ...parkIds])] }), c)
  }),
  writes(removeGroupParks, ({ id, parkIds, reason }, c) =>
    changeGroup(
      id,
      group => ({ parkIds: group.parkIds.filter(parkId => !parkIds.includes(parkId)) }),
      c,
      reason,
    ),
  ),
]
