import { defined } from '#kit/domain/defined.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, type WriteContext } from '#kit/server/handler.ts'
import { findAll, projectRequired } from '#kit/server/table.ts'
import {
  building,
  buildings,
  exportBuildings,
  pickBuildings,
  pickUnits,
  unit,
  type Building,
} from '../contract/building.ts'
import { assertRoomsFit, planUnits } from '../domain/units.ts'
import { buildingImport } from './building-import.ts'
import { publishBuildingRenamed } from './building-units.ts'
import { countRoomsByUnit, syncUnits } from './unit-rows.ts'

type BuildingDraft = Omit<Building, 'id' | 'version' | 'createTime' | 'updateTime'>

/** The units that a building's own words describe can be made, and rooms that are there keep theirs. */
async function unitFaults(
  draft: BuildingDraft,
  { tx, scope }: WriteContext,
  before: Building | undefined,
): Promise<FieldFault[]> {
  const planned = planUnits(draft)
  if (before) {
    const rooms = await countRoomsByUnit(tx, scope, draft.projectCode, [defined(before.code)])
    assertRoomsFit(planned, rooms)
  }
  return []
}

const plannedNames = (draft: BuildingDraft): object => ({
  unitNames: planUnits(draft).map(p => p.name),
})

const syncUnitsOf = (b: Building, { tx, scope }: WriteContext): Promise<void> =>
  syncUnits(tx, scope, b.projectCode, [{ code: defined(b.code), planned: planUnits(b) }])

export const buildingServer = crudHandlers(buildings, {
  codes: { code: 'B' },
  unique: {
    building_code_live: '该项目已有此楼栋编码',
    building_name_live: '该项目已有同名楼栋',
    unit_name_live: '单元名称重复',
  },
  filter: ({ id }) => (id ? [sql`t.id = ${id}`] : []),
  refusesChangeOf: ['projectCode', 'code'],
  check: unitFaults,
  beforeInsert: plannedNames,
  beforeUpdate: plannedNames,
  afterInsert: syncUnitsOf,
  afterUpdate: async (after, c, before) => {
    await syncUnitsOf(after, c)
    if (after.name !== before.name) {
      await publishBuildingRenamed(c.tx, c.scope, after)
    }
  },
  afterDelete: async (deleted, { tx, scope }) => {
    for (const [project, some] of Map.groupBy(deleted, b => b.projectCode)) {
      const withoutUnits = some.map(b => ({ code: defined(b.code), planned: [] }))
      await syncUnits(tx, scope, project, withoutUnits)
    }
  },
  import: buildingImport,
  export: exportBuildings,
})

export const buildingPickers = [
  reads(pickBuildings, ({ projectCode }, { db, scope }) => {
    if (!projectCode) throw projectRequired()
    return findAll(db, building, scope, { projectCode })
  }),
  reads(pickUnits, ({ buildCode, ...project }, { db, scope }) =>
    findAll(db, unit, scope, { ...project, buildCode: [buildCode] }, { filters: ['buildCode'] }),
  ),
]
