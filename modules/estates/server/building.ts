import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import {
  projectRequired,
  findByIds,
  findByKey,
  insert,
  findPage,
  remove,
  findAll,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import type { Scope } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import {
  addBuilding,
  building,
  deleteBuildings,
  editBuilding,
  listBuildings,
  pickBuildings,
  pickUnits,
  unit,
} from '../contract/building.ts'
import { estate } from '../contract/estate.ts'
import { notifyBuildingRenamed } from './building-units.ts'
import { assertRoomsFit, planUnits, type PlannedUnit, type UnitRooms } from '../domain/units.ts'

uniqueMessages({
  building_code_live: '该项目已有此楼栋编码',
  building_name_live: '该项目已有同名楼栋',
  unit_name_live: '单元名称重复',
})

type RoomCounter = (
  tx: Tx,
  scope: Scope,
  project: string,
  codes: readonly string[],
) => Promise<readonly (UnitRooms & { readonly buildCode: string })[]>

let roomCounter: RoomCounter = async () => []

/** The module that keeps rooms says which stand in the units of buildings (BASE-4). */
export const registerRoomCounter = (count: RoomCounter): void => {
  roomCounter = count
}

export const countRoomsByUnit: RoomCounter = (tx, scope, project, codes) =>
  roomCounter(tx, scope, project, codes)

export interface BuildingUnitPlan {
  readonly code: string
  readonly planned: readonly PlannedUnit[]
}

/**
 * Brings the unit rows of buildings of one project to what these say: names stay the same rows, new ones are
 * added, gone ones removed.
 */
export async function syncUnits(
  tx: Tx,
  scope: Scope,
  project: string,
  laid: readonly BuildingUnitPlan[],
): Promise<void> {
  const rows = laid.flatMap(b =>
    b.planned.map((p, i) => ({
      code: b.code,
      name: p.name,
      floors: p.floors,
      underground: p.underground,
      sort: i + 1,
    })),
  )
  const said = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
    code text, name text, floors int, underground int, sort int
  )`
  await tx.execute(sql`
    update unit u
    set delete_tag = 1, update_time = now()
    where owner_id = ${scope.ownerId}
      and project_code = ${project}
      and build_code = any(${laid.map(b => b.code)})
      and ${live()}
      and not exists (select 1 from ${said} where r.code = u.build_code and r.name = u.name)
  `)
  await tx.execute(sql`
    insert into unit (
      owner_id, project_code, build_code, code, name, floor_count, underground_floors, sort, create_by,
      update_by
    )
    select ${scope.ownerId}::bigint, ${project}, r.code, next_code('U'), r.name, r.floors, r.underground,
      r.sort, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
    from ${said}
    on conflict (owner_id, project_code, build_code, name)
    where ${live()} do update set floor_count = excluded.floor_count,
      underground_floors = excluded.underground_floors, sort = excluded.sort, update_time = now()
  `)
}

const assertEstateExists = async (tx: Tx, scope: Scope, project: string): Promise<void> => {
  if (!(await findByKey(tx, estate, scope, project, project)))
    throw invalidInput([{ Field: 'Projectcode', Message: '项目不存在，请重新选择' }])
}

export const buildingHandlers = [
  reads(listBuildings, ({ id, ...q }, { db, scope }) =>
    findPage(db, building, scope, q, {
      filters: listBuildings.input.filters!,
      sums: listBuildings.output.sums!,
      where: id ? [sql`t.id = ${id}`] : [],
    }),
  ),
  reads(pickBuildings, ({ projectCode }, { db, scope }) => {
    if (!projectCode) throw projectRequired()
    return findAll(db, building, scope, { projectCode })
  }),
  reads(pickUnits, ({ projectCode, buildCode }, { db, scope }) =>
    findAll(
      db,
      unit,
      scope,
      { ...(projectCode ? { projectCode } : {}), buildCode: [buildCode] },
      { filters: ['buildCode'] },
    ),
  ),

  writes(addBuilding, async (draft, { tx, scope }) => {
    const planned = planUnits(draft)
    await assertEstateExists(tx, scope, draft.projectCode)
    const code = draft.code ?? (await tx.one<{ code: string }>(sql`select next_code('B') as code`))!.code
    const made = await insert(tx, building, scope, { ...draft, code, unitNames: planned.map(p => p.name) })
    await syncUnits(tx, scope, made.projectCode, [{ code, planned }])
    return made
  }),
  writes(editBuilding, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的楼栋')
    const planned = planUnits(draft)
    const [before] = await findByIds(tx, building, scope, [id], true)
    if (!before) throw notFound()
    if (draft.projectCode !== before.projectCode)
      throw invalidInput([{ Field: 'Projectcode', Message: '楼栋不能改到别的项目' }])
    if (draft.code !== undefined && draft.code !== before.code)
      throw invalidInput([{ Field: 'Buildcode', Message: '楼栋编码保存后不能修改' }])
    assertRoomsFit(planned, await roomCounter(tx, scope, before.projectCode, [before.code!]))
    const after = await update(
      tx,
      building,
      scope,
      id,
      { ...withAllFields(editBuilding.input, draft), code: before.code, unitNames: planned.map(p => p.name) },
      { version },
    )
    await syncUnits(tx, scope, after.projectCode, [{ code: after.code!, planned }])
    if (after.name !== before.name) {
      await notifyBuildingRenamed(tx, scope, after)
    }
    return after
  }),
  writes(deleteBuildings, async ({ ids, reason }, { tx, scope }) => {
    for (const b of await findByIds(tx, building, scope, ids, true)) {
      await assertDeletable(tx, scope, 'building', `楼栋「${b.name}」`, [b])
    }
    const gone = await remove(tx, building, scope, ids, reason)
    await tx.execute(sql`
      update unit u
      set delete_tag = 1, update_time = now()
      from jsonb_to_recordset(
        ${JSON.stringify(gone.map(b => ({ p: b.projectCode, c: b.code })))}::jsonb
      ) as g(p text, c text)
      where u.owner_id = ${scope.ownerId}
        and u.project_code = g.p
        and u.build_code = g.c
        and ${live('u')}
    `)
  }),
]
