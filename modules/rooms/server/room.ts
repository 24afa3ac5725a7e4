import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
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
import { live } from '#kit/server/sql.ts'
import { getSettingValue, findBuildings, type BuildingWithUnits } from '#modules/estates/server/public.ts'
import { roomAreaKeys } from '../contract/room-change.ts'
import {
  addRoomBatch,
  addRoom,
  deleteRooms,
  editRoom,
  getRoom,
  previewRoomBatch,
  room,
  type RoomBatch,
  type Room,
} from '../contract/room.ts'
import { withChargeArea } from '../domain/room-areas.ts'
import {
  floorFault,
  roomPathOf,
  planRoomBatch,
  roomSortKeyOf,
  type RoomPosition,
  type PlannedRoom,
} from '../domain/room-numbering.ts'
import { recordAreaChanges, logRoomChanges } from './room-areas.ts'
import { notifyRoomMoved } from './room-occupants.ts'
import { floorDigitsSetting } from './settings.ts'

uniqueMessages({ room_no_live: '该单元已有此房号', room_code_live: '该项目已有此房屋编码' })

/** How a room is called and where it stands in order. */
export const pathAndSortKeyOf = (at: RoomPosition): Pick<Room, 'path' | 'sortKey'> => ({
  path: roomPathOf(at),
  sortKey: roomSortKeyOf(at),
})

async function requireBuilding(
  tx: Tx,
  scope: Scope,
  project: string,
  code: string,
): Promise<BuildingWithUnits> {
  const b = (await findBuildings(tx, scope.ownerId, project, [code], { lock: true })).get(code)
  if (!b) throw invalidInput([{ Field: 'Buildcode', Message: '楼栋不存在或不属于该项目，请重新选择' }])
  return b
}

type RoomLocation = Pick<Room, 'projectCode' | 'buildCode' | 'unitName' | 'floorNum' | 'roomNo'>

/**
 * The building of a draft, held so that nobody deletes it meanwhile; refuses a unit or floor that it does not
 * have.
 */
async function locateRoom(tx: Tx, scope: Scope, r: RoomLocation): Promise<Pick<Room, 'path' | 'sortKey'>> {
  const b = await requireBuilding(tx, scope, r.projectCode, r.buildCode)
  const u = b.units.find(x => x.name === r.unitName)
  if (!u)
    throw invalidInput([
      {
        Field: 'Unitname',
        Message: `${b.name}没有「${r.unitName}」单元，现有：${b.units.map(x => x.name).join('、')}`,
      },
    ])
  const fault = floorFault(u, r.floorNum)
  if (fault) throw invalidInput([{ Field: 'FloorNum', Message: fault }])
  return pathAndSortKeyOf({ building: b.name, unit: r.unitName, floor: r.floorNum, roomNo: r.roomNo })
}

const nextRoomCode = async (tx: Tx): Promise<string> =>
  defined(await tx.one<{ code: string }>(sql`select next_code('R') as code`)).code

async function splitBatch(
  db: Db,
  scope: Scope,
  q: RoomBatch,
  lock: boolean,
): Promise<{ b: BuildingWithUnits; fresh: PlannedRoom[]; existing: PlannedRoom[] }> {
  if (!hasBuilding(scope.domain, q.projectCode, q.buildCode)) throw outOfDomain()
  const b = (await findBuildings(db, scope.ownerId, q.projectCode, [q.buildCode], { lock })).get(q.buildCode)
  if (!b) throw invalidInput([{ Field: 'Buildcode', Message: '楼栋不存在或不属于该项目，请重新选择' }])
  const unknown = q.unitNames?.find(n => !b.units.some(u => u.name === n))
  if (unknown !== undefined)
    throw invalidInput([{ Field: 'UnitNames', Message: `${b.name}没有「${unknown}」单元` }])
  const all = planRoomBatch(
    q.unitNames?.length ? b.units.filter(u => defined(q.unitNames).includes(u.name)) : b.units,
    q.floorFrom,
    q.floorTo,
    q.perFloor,
    Number(await getSettingValue(db, scope.ownerId, q.projectCode, floorDigitsSetting)),
  )
  const there = new Set(
    (
      await db.rows<{ unitName: string; roomNo: string }>(
        sql`
          select unit_name, room_no
          from room
          where owner_id = ${scope.ownerId}
            and project_code = ${q.projectCode}
            and build_code = ${q.buildCode}
            and ${live()}
        `,
      )
    ).map(r => `${r.unitName}\n${r.roomNo}`),
  )
  const has = (p: PlannedRoom): boolean => there.has(`${p.unitName}\n${p.roomNo}`)
  return { b, fresh: all.filter(p => !has(p)), existing: all.filter(has) }
}

const batchOutcome = ({ fresh, existing }: { fresh: PlannedRoom[]; existing: PlannedRoom[] }) => ({
  fresh: fresh.length,
  existing: existing.length,
  rows: [...existing.map(p => ({ ...p, exists: true })), ...fresh.map(p => ({ ...p, exists: false }))].slice(
    0,
    2000,
  ),
})

export const roomHandlers = [
  reads(getRoom, async ({ id, code, projectCode }, { db, scope }) => {
    if (id) return requireById(db, room, scope, id)
    if (!code) return refuse('请说明要查看哪个房间')
    const project = projectCode ?? scope.projectCode
    if (!project) throw projectRequired()
    const found = await findByKey(db, room, scope, code, project)
    if (!found) throw notFound()
    return found
  }),
  writes(addRoom, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    const at = await locateRoom(tx, scope, draft)
    return insert(tx, room, scope, {
      ...withChargeArea(draft),
      feeRatio: draft.feeRatio ?? '1',
      ...at,
      code: draft.code ?? (await nextRoomCode(tx)),
    })
  }),
  writes(editRoom, async ({ id, version, effectiveDate, reason, ...draft }, { tx, scope, today }) => {
    if (!id) return refuse('缺少要修改的房间')
    const before = await requireById(tx, room, scope, id, true)
    if (draft.projectCode !== before.projectCode)
      throw invalidInput([{ Field: 'ProjectCode', Message: '房间不能改到别的项目' }])
    if (draft.code !== undefined && draft.code !== before.code)
      throw invalidInput([{ Field: 'Roomcode', Message: '房屋编码保存后不能修改' }])
    const at = await locateRoom(tx, scope, draft)
    const said = {
      ...Object.fromEntries(roomAreaKeys.map(k => [k, undefined])),
      ...withChargeArea(draft),
      feeRatio: draft.feeRatio ?? '1',
    }
    const areas = await recordAreaChanges(tx, scope, before, said, effectiveDate, reason, today)
    const {
      buildArea: _a,
      innerArea: _b,
      shareArea: _c,
      chargeArea: _d,
      feeRatio: _e,
      ...rest
    } = withAllFields(editRoom.input, draft) as Record<string, unknown>
    delete rest.effectiveDate
    delete rest.reason
    const after = await update(
      tx,
      room,
      scope,
      id,
      { ...rest, ...areas, ...at, code: before.code, projectCode: before.projectCode },
      { version, ...(reason ? { reason } : {}) },
    )
    if (after.buildCode !== before.buildCode || after.path !== before.path) {
      await notifyRoomMoved(tx, scope, after)
    }
    if (after.roomNo !== before.roomNo) {
      await logRoomChanges(tx, scope, [
        {
          room: after,
          item: 'roomNo',
          oldValue: before.roomNo,
          newValue: after.roomNo,
          effectiveDate: today,
          reason,
          applied: true,
        },
      ])
    }
    return after
  }),
  writes(deleteRooms, async ({ ids, reason }, { tx, scope }) => {
    const rows = await findByIds(tx, room, scope, ids, true)
    for (const r of rows) {
      await assertDeletable(tx, scope, 'room', `房间「${r.path}」`, [r])
    }
    await remove(tx, room, scope, ids, reason)
  }),

  reads(previewRoomBatch, async (q, { db, scope }) => batchOutcome(await splitBatch(db, scope, q, false))),
  writes(addRoomBatch, async (q, { tx, scope }) => {
    const done = await splitBatch(tx, scope, q, true)
    const { fresh, b } = done
    const codes = fresh.length
      ? await tx.rows<{ code: string }>(
          sql`select next_code('R') as code from generate_series(1, ${fresh.length}::int)`,
        )
      : []
    const same = withChargeArea({
      roomType: q.roomType,
      roomState: q.roomState,
      buildArea: q.buildArea,
      innerArea: q.innerArea,
      layout: q.layout,
      feeRatio: '1',
      state: 'on' as const,
      projectCode: q.projectCode,
      buildCode: q.buildCode,
    })
    await insertAll(
      tx,
      room,
      scope,
      fresh.map((p, i) => ({
        ...same,
        ...p,
        code: defined(codes[i]).code,
        ...pathAndSortKeyOf({ building: b.name, unit: p.unitName, floor: p.floorNum, roomNo: p.roomNo }),
      })),
    )
    return batchOutcome(done)
  }),
]
