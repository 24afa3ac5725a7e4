import type { FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import { exportGreenAreas, greenAreas, type AreaPlant } from '../contract/green-area.ts'
import { plant } from '../contract/plant.ts'
import { repeatedLines } from '../domain/planting.ts'
import { hasPlants } from './plant.ts'

interface AreaDraft {
  readonly plants?: readonly AreaPlant[] | undefined
}

const faultOfLine = (i: number, Message: string): FieldFault => ({ Field: `Plants[${i}].PlantID`, Message })

/** G-13: what grows in an area is in the catalogue; a plant that was there before may have left it since. */
async function plantFaults(
  { plants = [] }: AreaDraft,
  { tx, scope }: WriteContext,
  before: AreaDraft | undefined,
): Promise<readonly FieldFault[]> {
  const ids = plants.map(line => line.plantId)
  const known = new Set((await findByIds(tx, plant, scope, ids)).map(row => row.id))
  const kept = new Set(before?.plants?.map(line => line.plantId))
  return [
    ...repeatedLines(plants).map(i => faultOfLine(i, '该植物已在上方，请合并数量')),
    ...ids.flatMap((id, i) =>
      known.has(id) || kept.has(id) ? [] : [faultOfLine(i, '植物不存在或已被删除，请重新选择')],
    ),
  ]
}

/** The names of plants are those of the catalogue: none is kept with the area. */
const withoutNames = ({ plants }: AreaDraft) =>
  plants ? { plants: plants.map(({ plantId, qty }) => ({ plantId, qty })) } : {}

interface PlantName {
  readonly id: Id
  readonly plantName: string
  readonly unit: string
}

async function namesOfPlants(db: Db, { ownerId }: Scope, ids: readonly Id[]): Promise<Map<Id, PlantName>> {
  const rows = await db.rows<PlantName>(sql`
    select id, plant_name, unit from plant where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[])
  `)
  return new Map(rows.map(row => [row.id, row]))
}

export const greenAreaServer = crudHandlers(greenAreas, {
  pictures: ['photos'],
  unique: { green_area_name_live: '该项目已有同名绿化区域' },
  refusesChangeOf: ['projectCode'],
  filter: ({ plantId }) => (plantId === undefined ? [] : [hasPlants([plantId])]),
  check: plantFaults,
  beforeInsert: withoutNames,
  beforeUpdate: withoutNames,
  enrich: async (rows, { db, scope }) => {
    const names = await namesOfPlants(
      db,
      scope,
      rows.flatMap(row => row.plants?.map(line => line.plantId) ?? []),
    )
    return rows.map(row => {
      const lines = (row.plants ?? []).map(line => {
        const found = names.get(line.plantId)
        return { ...line, plantName: found?.plantName, unit: found?.unit }
      })
      return {
        ...row,
        plants: lines,
        plantIds: lines.map(line => String(line.plantId)),
        plantNames: lines.flatMap(line => line.plantName ?? []).join('、'),
      }
    })
  },
  export: exportGreenAreas,
})

// BASE-5
registerDependentRows('estate', {
  label: '绿化区域',
  table: 'green_area',
  where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
})
