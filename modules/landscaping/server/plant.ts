import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { findAll } from '#kit/server/table.ts'
import { greenArea } from '../contract/green-area.ts'
import { exportPlants, pickPlants, plants, type Plant } from '../contract/plant.ts'
import { plantingOf } from '../domain/planting.ts'

/** The areas `t` that have one of these plants. */
export const hasPlants = (ids: readonly Id[]): RawBuilder<unknown> => sql`exists (
  select from jsonb_array_elements(t.plants) line
  where (line ->> 'plantId')::bigint = any(${[...ids]}::bigint[])
)`

export const plantServer = crudHandlers(plants, {
  pictures: ['photos'],
  unique: { plant_name_live: '已有此名称的植物，请更换' },
  filter: ({ areaId }, { scope }) =>
    areaId === undefined
      ? []
      : [
          sql`t.id in (
            select (line ->> 'plantId')::bigint
            from green_area a, jsonb_array_elements(a.plants) line
            where a.owner_id = ${scope.ownerId} and a.id = ${areaId} and a.delete_tag = 0
          )`,
        ],
  enrich: async (rows, { db, scope }) => {
    const where = [hasPlants(rows.map(row => row.id))]
    const { projectCode } = scope
    const areas = await findAll(db, greenArea, scope, projectCode ? { projectCode } : {}, { where })
    return rows.map(row => ({ ...row, ...plantingOf(row.id, areas, { withEstates: !projectCode }) }))
  },
  export: exportPlants,
  pickers: [pickPlants],
})

// BASE-5: what is somewhere stays in the catalogue.
registerDependentRows('plant', {
  label: '绿化区域',
  table: 'green_area',
  where: ({ id }: Plant) => sql`plants @> ${JSON.stringify([{ plantId: id }])}::jsonb`,
})
