import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import { inBuilding, outside, type Scope } from '#kit/server/scope.ts'
import {
  byIds,
  byKey,
  insert,
  insertAll,
  need,
  remove,
  unknownProject,
  update,
  whole,
} from '#kit/server/table.ts'
import { settingOf, standing, type Standing } from '#modules/estates/server/public.ts'
import { areaKeys } from '../contract/change.ts'
import {
  addBatch,
  addRoom,
  deleteRooms,
  editRoom,
  oneRoom,
  previewBatch,
  room,
  type Batch,
  type Room,
} from '../contract/room.ts'
import { withChargeArea } from '../domain/areas.ts'
import { floorFault, pathOf, planBatch, sortKeyOf, type At, type Planned } from '../domain/place.ts'
import { areasSaid, noteChanges } from './areas.ts'
import { tellMoved } from './people.ts'
import { floorDigits } from './settings.ts'

uniqueSays({ room_no_live: '该单元已有此房号', room_code_live: '该项目已有此房屋编码' })

/** How a room is called and where it stands in order. */
export const named = (at: At): Pick<Room, 'path' | 'sortKey'> => ({
  path: pathOf(at),
  sortKey: sortKeyOf(at),
})

async function building(tx: Tx, scope: Scope, project: string, code: string): Promise<Standing> {
  const b = (await standing(tx, scope.ownerId, project, [code], { lock: true })).get(code)
  if (!b) throw wrong([{ Field: 'Buildcode', Message: '楼栋不存在或不属于该项目，请重新选择' }])
  return b
}

type Placed = Pick<Room, 'projectCode' | 'buildCode' | 'unitName' | 'floorNum' | 'roomNo'>

/**
 * The building of a draft, held so that nobody deletes it meanwhile; refuses a unit or floor that it does not
 * have.
 */
async function place(tx: Tx, scope: Scope, r: Placed): Promise<Pick<Room, 'path' | 'sortKey'>> {
  const b = await building(tx, scope, r.projectCode, r.buildCode)
  const u = b.units.find(x => x.name === r.unitName)
  if (!u)
    throw wrong([
      {
        Field: 'Unitname',
        Message: `${b.name}没有「${r.unitName}」单元，现有：${b.units.map(x => x.name).join('、')}`,
      },
    ])
  const fault = floorFault(u, r.floorNum)
  if (fault) throw wrong([{ Field: 'FloorNum', Message: fault }])
  return named({ building: b.name, unit: r.unitName, floor: r.floorNum, roomNo: r.roomNo })
}

const freshCode = async (tx: Tx): Promise<string> =>
  (await tx.one<{ code: string }>(sql`select next_code('R') as code`))!.code

async function split(
  db: Db,
  scope: Scope,
  q: Batch,
  lock: boolean,
): Promise<{ b: Standing; fresh: Planned[]; existing: Planned[] }> {
  if (!inBuilding(scope.domain, q.projectCode, q.buildCode)) throw outside()
  const b = (await standing(db, scope.ownerId, q.projectCode, [q.buildCode], { lock })).get(q.buildCode)
  if (!b) throw wrong([{ Field: 'Buildcode', Message: '楼栋不存在或不属于该项目，请重新选择' }])
  const unknown = q.unitNames?.find(n => !b.units.some(u => u.name === n))
  if (unknown !== undefined) throw wrong([{ Field: 'UnitNames', Message: `${b.name}没有「${unknown}」单元` }])
  const all = planBatch(
    q.unitNames?.length ? b.units.filter(u => q.unitNames!.includes(u.name)) : b.units,
    q.floorFrom,
    q.floorTo,
    q.perFloor,
    Number(await settingOf(db, scope.ownerId, q.projectCode, floorDigits)),
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
            and delete_tag = 0
        `,
      )
    ).map(r => `${r.unitName}\n${r.roomNo}`),
  )
  const has = (p: Planned): boolean => there.has(`${p.unitName}\n${p.roomNo}`)
  return { b, fresh: all.filter(p => !has(p)), existing: all.filter(has) }
}

const told = ({ fresh, existing }: { fresh: Planned[]; existing: Planned[] }) => ({
  fresh: fresh.length,
  existing: existing.length,
  rows: [...existing.map(p => ({ ...p, exists: true })), ...fresh.map(p => ({ ...p, exists: false }))].slice(
    0,
    2000,
  ),
})

export const roomHandlers = [
  reads(oneRoom, async ({ id, code, projectCode }, { db, scope }) => {
    if (id) return need(db, room, scope, id)
    if (!code) return refuse('请说明要查看哪个房间')
    const project = projectCode ?? scope.projectCode
    if (!project) throw unknownProject()
    const found = await byKey(db, room, scope, code, project)
    if (!found) throw absent()
    return found
  }),
  writes(addRoom, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    const at = await place(tx, scope, draft)
    return insert(tx, room, scope, {
      ...withChargeArea(draft),
      feeRatio: draft.feeRatio ?? '1',
      ...at,
      code: draft.code ?? (await freshCode(tx)),
    })
  }),
  writes(editRoom, async ({ id, version, effectiveDate, reason, ...draft }, { tx, scope, today }) => {
    if (!id) return refuse('缺少要修改的房间')
    const before = await need(tx, room, scope, id, true)
    if (draft.projectCode !== before.projectCode)
      throw wrong([{ Field: 'ProjectCode', Message: '房间不能改到别的项目' }])
    if (draft.code !== undefined && draft.code !== before.code)
      throw wrong([{ Field: 'Roomcode', Message: '房屋编码保存后不能修改' }])
    const at = await place(tx, scope, draft)
    const said = {
      ...Object.fromEntries(areaKeys.map(k => [k, undefined])),
      ...withChargeArea(draft),
      feeRatio: draft.feeRatio ?? '1',
    }
    const areas = await areasSaid(tx, scope, before, said, effectiveDate, reason, today)
    const {
      buildArea: _a,
      innerArea: _b,
      shareArea: _c,
      chargeArea: _d,
      feeRatio: _e,
      ...rest
    } = whole(editRoom.input, draft) as Record<string, unknown>
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
      await tellMoved(tx, scope, after)
    }
    if (after.roomNo !== before.roomNo) {
      await noteChanges(tx, scope, [
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
    const rows = await byIds(tx, room, scope, ids, true)
    for (const r of rows) {
      await mayGo(tx, scope, 'room', `房间「${r.path}」`, [r])
    }
    await remove(tx, room, scope, ids, reason)
  }),

  reads(previewBatch, async (q, { db, scope }) => told(await split(db, scope, q, false))),
  writes(addBatch, async (q, { tx, scope }) => {
    const done = await split(tx, scope, q, true)
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
        code: codes[i]!.code,
        ...named({ building: b.name, unit: p.unitName, floor: p.floorNum, roomNo: p.roomNo }),
      })),
    )
    return told(done)
  }),
]
