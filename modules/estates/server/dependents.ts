import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import { live } from '#kit/server/sql.ts'

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
    { what: '楼栋', count: defined(n).buildings },
    { what: '公共区域', count: defined(n).areas },
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
  return [{ what: '公共区域', count: defined(n).areas }]
})
