import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse, invalidField } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { hasBuilding, outOfDomain, type Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  findByKey,
  insert,
  insertAll,
  requireById,
  remove,
  projectRequired,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { getSettingValue, findBuildings, type BuildingWithUnits } from '#modules/estates/server/public.ts'
import { roomAreaKeys } from '../contract/room-change.ts'
import { addRoomBatch, previewRoomBatch, type RoomBatch } from '../contract/room-batch.ts'
import { addRoom, deleteRooms, editRoom, getRoom, room, type Room } from '../contract/room.ts'
import { withChargeArea } from '../domain/room-areas.ts'
import {
  floorFault,
  roomPathOf,
  planRoomBatch,
  roomSortKeyOf,
  type RoomPosition,
  type PlannedRoom,
} from '../domain/room-numbering.ts'
import { findDeliveryFaults, setsDelivery } from './delivery-check.ts'
import { recordAreaChanges, logRoomChanges } from './room-areas.ts'
import { publishRoomMoved } from './room-occupants.ts'
import { floorDigitsSetting } from './settings.ts'

uniqueMessages({ room_no_live: '该单元已有此房号', room_code_live: '该项目已有此房屋编码' })

/** How a room is called and where it is in order. */
export const pathAndSortKeyOf = (position: RoomPosition): Pick<Room, 'path' | 'sortKey'> => ({
  path: roomPathOf(position),
  sortKey: roomSortKeyOf(position),
})

async function requireBuilding(
  tx: Tx,
  scope: Scope,
  project: string,
  code: string,
): Promise<BuildingWithUnits> {
  const building = (await findBuildings(tx, scope.ownerId, project, [code], { lock: true })).get(code)
  if (!building) throw invalidField('Buildcode', '楼栋不存在或不属于该项目，请重新选择')
  return building
}

type RoomLocation = Pick<Room, 'projectCode' | 'buildCode' | 'unitName' | 'floorNum' | 'roomNo'>

/**
 * The building of a draft, locked so that nobody deletes it until the end; refuses a unit or floor that it
 * does not have.
 */
async function locateRoom(
  tx: Tx,
  scope: Scope,
  location: RoomLocation,
): Promise<Pick<Room, 'path' | 'sortKey'>> {
  const building = await requireBuilding(tx, scope, location.projectCode, location.buildCode)
  const unit = building.units.find(x => x.name === location.unitName)
  if (!unit)
    throw invalidField(
      'Unitname',
      `${building.name}没有「${location.unitName}」单元，现有：${building.units.map(x => x.name).join('、')}`,
    )
  const fault = floorFault(unit, location.floorNum)
  if (fault) throw invalidField('FloorNum', fault)
  return pathAndSortKeyOf({
    building: building.name,
    unit: location.unitName,
    floor: location.floorNum,
    roomNo: location.roomNo,
  })
}

const nextRoomCode = async (tx: Tx): Promise<string> =>
  defined(await tx.one<{ code: string }>(sql`select next_code('R') as code`)).code

async function splitBatch(
  db: Db,
  scope: Scope,
  batch: RoomBatch,
  lock: boolean,
): Promise<{ b: BuildingWithUnits; newRooms: PlannedRoom[]; existing: PlannedRoom[] }> {
  if (!hasBuilding(scope.domain, batch.projectCode, batch.buildCode)) throw outOfDomain()
  const building = (
    await findBuildings(db, scope.ownerId, batch.projectCode, [batch.buildCode], { lock })
  ).get(batch.buildCode)
  if (!building) throw invalidField('Buildcode', '楼栋不存在或不属于该项目，请重新选择')
  const unknown = batch.unitNames?.find(n => !building.units.some(unit => unit.name === n))
  if (unknown !== undefined) throw invalidField('UnitNames', `${building.name}没有「${unknown}」单元`)
  const plannedRooms = planRoomBatch(
    batch.unitNames?.length
      ? building.units.filter(unit => defined(batch.unitNames).includes(unit.name))
      : building.units,
    batch.floorFrom,
    batch.floorTo,
    batch.perFloor,
    Number(await getSettingValue(db, scope.ownerId, batch.projectCode, floorDigitsSetting)),
  )
  const existingKeys = new Set(
    (
      await db.rows<{ unitName: string; roomNo: string }>(
        sql`
          select unit_name, room_no
          from room
          where owner_id = ${scope.ownerId}
            and project_code = ${batch.projectCode}
            and build_code = ${batch.buildCode}
            and ${notDeleted()}
        `,
      )
    ).map(location => `${location.unitName}\n${location.roomNo}`),
  )
  const isExisting = (planned: PlannedRoom): boolean =>
    existingKeys.has(`${planned.unitName}\n${planned.roomNo}`)
  return {
    b: building,
    newRooms: plannedRooms.filter(planned => !isExisting(planned)),
    existing: plannedRooms.filter(isExisting),
  }
}

const batchOutcome = ({ newRooms, existing }: { newRooms: PlannedRoom[]; existing: PlannedRoom[] }) => ({
  newCount: newRooms.length,
  existing: existing.length,
  rows: [
    ...existing.map(planned => ({ ...planned, exists: true })),
    ...newRooms.map(planned => ({ ...planned, exists: false })),
  ].slice(0, 2000),
})

export const roomHandlers = [
  reads(getRoom, async ({ id, code, projectCode }, { db, scope }) => {
    if (id) return requireById(db, room, scope, id)
    if (!code) throw invalidField('ID', '编号不能为空')
    const project = projectCode ?? scope.projectCode
    if (!project) throw projectRequired()
    const found = await findByKey(db, room, scope, code, project)
    if (!found) throw notFound()
    return found
  }),
  writes(addRoom, async ({ id: _id, version: _version, ...draft }, { tx, scope }) => {
    const position = await locateRoom(tx, scope, draft)
    return insert(tx, room, scope, {
      ...withChargeArea(draft),
      feeRatio: draft.feeRatio ?? '1',
      ...position,
      code: draft.code ?? (await nextRoomCode(tx)),
    })
  }),
  writes(editRoom, async ({ id, version, effectiveDate, reason, ...draft }, { tx, scope, today }) => {
    if (!id) return refuse('缺少要修改的房间')
    const before = await requireById(tx, room, scope, id, { lock: true })
    if (draft.projectCode !== before.projectCode) throw invalidField('ProjectCode', '房间不能改到其他项目')
    if (draft.code !== undefined && draft.code !== before.code)
      throw invalidField('Roomcode', '房屋编码保存后不能修改')
    if (setsDelivery(before, draft.deliverDate)) {
      const fault = (await findDeliveryFaults(tx, scope, [before])).get(id)
      if (fault !== undefined) throw invalidField('DeliverDate', fault)
    }
    const position = await locateRoom(tx, scope, draft)
    const requestedAreas = {
      ...Object.fromEntries(roomAreaKeys.map(k => [k, undefined])),
      ...withChargeArea(draft),
      feeRatio: draft.feeRatio ?? '1',
    }
    const areas = await recordAreaChanges(tx, scope, before, requestedAreas, effectiveDate, reason, today)
    const {
      buildArea: _buildArea,
      innerArea: _innerArea,
      shareArea: _shareArea,
      chargeArea: _chargeArea,
      feeRatio: _feeRatio,
      ...rest
    } = withAllFields(editRoom.input, draft) as Record<string, unknown>
    delete rest.effectiveDate
    delete rest.reason
    const after = await update(
      tx,
      room,
      scope,
      id,
      { ...rest, ...areas, ...position, code: before.code, projectCode: before.projectCode },
      { version, ...(reason ? { reason } : {}) },
    )
    if (after.buildCode !== before.buildCode || after.path !== before.path) {
      await publishRoomMoved(tx, scope, after)
    }
    if (after.roomNo !== before.roomNo) {
      await logRoomChanges(
        tx,
        scope,
        [
          {
            room: after,
            item: 'roomNo',
            oldValue: before.roomNo,
            newValue: after.roomNo,
            effectiveDate: today,
            reason,
            applied: true,
          },
        ],
        today,
      )
    }
    return after
  }),
  writes(deleteRooms, async ({ ids, reason }, { tx, scope }) => {
    const rows = await findByIds(tx, room, scope, ids, { lock: true })
    for (const location of rows) {
      await assertDeletable(tx, scope, 'room', `房间「${location.path}」`, [location])
    }
    await remove(tx, room, scope, ids, reason)
  }),

  reads(previewRoomBatch, async (batch, { db, scope }) =>
    batchOutcome(await splitBatch(db, scope, batch, false)),
  ),
  writes(addRoomBatch, async (batch, { tx, scope }) => {
    const split = await splitBatch(tx, scope, batch, true)
    const { newRooms, b: building } = split
    const codes = newRooms.length
      ? await tx.rows<{ code: string }>(
          sql`select next_code('R') as code from generate_series(1, ${newRooms.length}::int)`,
        )
      : []
    const sharedFields = withChargeArea({
      roomType: batch.roomType,
      roomState: batch.roomState,
      buildArea: batch.buildArea,
      innerArea: batch.innerArea,
      layout: batch.layout,
      feeRatio: '1',
      state: 'on' as const,
      projectCode: batch.projectCode,
      buildCode: batch.buildCode,
    })
    await insertAll(
      tx,
      room,
      scope,
      newRooms.map((planned, i) => ({
        ...sharedFields,
        ...planned,
        code: defined(codes[i]).code,
        ...pathAndSortKeyOf({
          building: building.name,
          unit: planned.unitName,
          floor: planned.floorNum,
          roomNo: planned.roomNo,
        }),
      })),
    )
    return batchOutcome(split)
  }),
]
