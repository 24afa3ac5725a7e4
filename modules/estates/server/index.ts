import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { live } from '#kit/server/sql.ts'
import { listPublicAreas, publicArea } from '../contract/public-area.ts'
import { building, listBuildings } from '../contract/building.ts'
import {
  publicAreaColumns,
  buildingColumns,
  exportPublicAreas,
  exportBuildings,
} from '../contract/import-export.ts'
import { publicAreaHandlers } from './public-area.ts'
import { buildingHandlers } from './building.ts'
import { estateHandlers } from './estate.ts'
import { buildingImporter } from './building-import.ts'

// BASE-5 of this module itself: an estate goes after its buildings and areas, a building after its areas.
registerDependents('estate', async (tx, scope, [e]) => {
  const n = await tx.one<{
    buildings: number
    areas: number
  }>(sql`
    select (
      select count(*)
      from building
      where owner_id = ${scope.ownerId} and project_code = ${e.projectCode} and ${live()}
    ) as buildings,
      (
        select count(*)
        from public_area
        where owner_id = ${scope.ownerId} and project_code = ${e.projectCode} and ${live()}
      ) as areas
  `)
  return [
    { what: '楼栋', count: n!.buildings },
    { what: '公共区域', count: n!.areas },
  ]
})

registerDependents('building', async (tx, scope, [b]) => {
  const n = await tx.one<{ areas: number }>(
    sql`
      select count(*) as areas
      from public_area
      where owner_id = ${scope.ownerId}
        and project_code = ${b.projectCode}
        and build_code = ${b.code}
        and ${live()}
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

const areaExport = exportHandlers<NonNullable<typeof listPublicAreas.input.T>>({
  kind: 'estates.area',
  name: '公共区域',
  calls: exportPublicAreas,
  entity: publicArea,
  columns: publicAreaColumns,
  query: q => ({ q, find: { filters: listPublicAreas.input.filters! } }),
})

export const server: ServerModule = {
  handlers: [
    ...estateHandlers,
    ...buildingHandlers,
    ...publicAreaHandlers,
    ...buildingImport.handlers,
    ...buildingExport.handlers,
    ...areaExport.handlers,
  ],
  jobs: [buildingImport.job, buildingExport.job, areaExport.job],
}
