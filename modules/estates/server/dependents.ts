import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Building } from '../contract/building.ts'
import type { Estate } from '../contract/estate.ts'

const inEstate = (e: Estate) => sql`project_code = ${e.projectCode}`

// BASE-5 of this module itself: an estate goes after its buildings and areas, a building after its areas.
registerDependentRows(
  'estate',
  { label: '楼栋', table: 'building', where: inEstate },
  { label: '公共区域', table: 'public_area', where: inEstate },
)

registerDependentRows('building', {
  label: '公共区域',
  table: 'public_area',
  where: (b: Building) => sql`project_code = ${b.projectCode} and build_code = ${b.code}`,
})
