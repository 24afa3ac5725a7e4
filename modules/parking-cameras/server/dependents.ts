import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { ParkLane } from '#modules/parking-lanes/contract/park-lane.ts'

// BASE-5
registerDependentRows('estate', {
  label: '停车相机',
  table: 'park_camera',
  where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
})

registerDependentRows('parkLane', {
  label: '停车相机',
  table: 'park_camera',
  where: ({ id }: ParkLane) => sql`lane_id = ${id}`,
})
