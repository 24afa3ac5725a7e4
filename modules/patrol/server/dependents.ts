import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { code } from '#kit/server/sql.ts'
import { workKind } from '#modules/planned-work/contract/choices.ts'
import type { PatrolRoad } from '../contract/road.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { PatrolArea } from '../contract/area.ts'
import type { PatrolPoint } from '../contract/point.ts'
import type { PatrolTemplate } from '../contract/template.ts'

registerDependentRows('estate', {
  label: '巡更点位',
  table: 'patrol_point',
  where: (estate: Estate) => sql`project_code = ${estate.projectCode}`,
})
registerDependentRows(
  'patrolArea',
  { label: '点位', table: 'patrol_point', where: (area: PatrolArea) => sql`area_id = ${area.id}` },
  { label: '路线', table: 'patrol_road', where: (area: PatrolArea) => sql`area_id = ${area.id}` },
)
registerDependentRows('patrolPoint', {
  label: '路线',
  table: 'patrol_road_point',
  where: (point: PatrolPoint) => sql`point_id = ${point.id}`,
})
registerDependentRows('patrolRoad', {
  label: '巡更计划',
  table: 'work_plan',
  where: (road: PatrolRoad) => sql`kind = ${code(workKind, 'patrol')} and subject_id = ${road.id}`,
})
registerDependentRows('patrolTemplate', {
  label: '点位',
  table: 'patrol_point',
  where: (template: PatrolTemplate) => sql`template_id = ${template.id}`,
})
