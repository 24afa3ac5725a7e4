import { sql } from '#kit/server/db.ts'
import { holds } from '#kit/server/guard.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { exportHandlers } from '#kit/server/sheets.ts'
import { listAreas, publicArea } from '../contract/area.ts'
import { building, listBuildings } from '../contract/building.ts'
import { areaColumns, buildingColumns, exportAreas, exportBuildings } from '../contract/transfer.ts'
import { areaHandlers } from './area.ts'
import { buildingHandlers } from './building.ts'
import { estateHandlers } from './estate.ts'
import { buildingImporter } from './import.ts'

// BASE-5 of this module itself: an estate goes after its buildings and areas, a building after its areas.
holds('estate', async (tx, scope, [e]) => {
  const n = await tx.one<{
    buildings: number
    areas: number
  }>(sql`
    select (
      select count(*)
      from building
      where owner_id = ${scope.ownerId} and project_code = ${e.projectCode} and delete_tag = 0
    ) as buildings,
      (
        select count(*)
        from public_area
        where owner_id = ${scope.ownerId} and project_code = ${e.projectCode} and delete_tag = 0
      ) as areas
  `)
  return [
    { what: '楼栋', count: n!.buildings },
    { what: '公共区域', count: n!.areas },
  ]
})

holds('building', async (tx, scope, [b]) => {
  const n = await tx.one<{ areas: number }>(
    sql`
      select count(*) as areas
      from public_area
      where owner_id = ${scope.ownerId}
        and project_code = ${b.projectCode}
        and build_code = ${b.code}
        and delete_tag = 0
    `,
  )
  return [{ what: '公共区域', count: n!.areas }]
})

const buildingImport = importHandlers(buildingImporter)

const buildingExport = exportHandlers<NonNullable<typeof listBuildings.input.T>>({
  kind: 'estates.building',
  name: '楼栋',
  calls: exportBuildings,
  entity: building,
  columns: buildingColumns,
  query: ({ id, ...q }) => ({
    q,
    find: { filters: listBuildings.input.filters!, where: id ? [sql`t.id = ${id}`] : [] },
  }),
})

const areaExport = exportHandlers<NonNullable<typeof listAreas.input.T>>({
  kind: 'estates.area',
  name: '公共区域',
  calls: exportAreas,
  entity: publicArea,
  columns: areaColumns,
  query: q => ({ q, find: { filters: listAreas.input.filters! } }),
})

export const server: ServerModule = {
  handlers: [
    ...estateHandlers,
    ...buildingHandlers,
    ...areaHandlers,
    ...buildingImport.handlers,
    ...buildingExport.handlers,
    ...areaExport.handlers,
  ],
  jobs: [buildingImport.job, buildingExport.job, areaExport.job],
}
