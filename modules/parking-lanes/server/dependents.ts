import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { Park } from '#modules/parking/contract/park.ts'

// BASE-5: what still refers to an estate or a car park.
registerDependentRows('estate', {
  label: '车道',
  table: 'park_lane',
  where: (estate: Estate) => sql`project_code = ${estate.projectCode}`,
})

registerDependentRows('park', {
  label: '车道',
  table: 'park_lane',
  where: (park: Park) => sql`park_id = ${park.id}`,
})

registerDependentRows('park', {
  label: '停车收费规则',
  table: 'park_fee_rule',
  where: (park: Park) => sql`park_id = ${park.id}`,
})

registerDependentRows('park', {
  label: '停车出入记录',
  table: 'parking_stay',
  where: (park: Park) => sql`park_id = ${park.id}`,
})
