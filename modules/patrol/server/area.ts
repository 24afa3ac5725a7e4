import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { patrolAreas } from '../contract/area.ts'

export const areaServer = crudHandlers(patrolAreas, {
  unique: { patrol_area_name_live: '该项目已有同名区域，请更换' },
  pictures: ['drawing'],
  enrich: async (rows, { db, scope }) => {
    const counts = await db.rows<{ id: Id; count: number }>(sql`
      select area_id as id, count(*)::int as count
      from patrol_point
      where owner_id = ${scope.ownerId} and area_id = any(${rows.map(row => row.id)}::bigint[]) and ${notDeleted()}
      group by area_id
    `)
    const countById = new Map(counts.map(row => [row.id, row.count]))
    return rows.map(row => ({ ...row, pointCount: countById.get(row.id) ?? 0 }))
  },
})
