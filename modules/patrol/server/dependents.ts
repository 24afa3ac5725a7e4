import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { planState, workKind } from '#modules/planned-work/contract/choices.ts'
import { registerPlansOf } from '#modules/planned-work/server/public.ts'
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
registerDependentRows(
  'patrolPoint',
  {
    label: '路线',
    table: 'patrol_road_point',
    where: (point: PatrolPoint) => sql`point_id = ${point.id}`,
  },
  {
    label: '启用的巡更计划',
    table: 'work_plan',
    names: 'plan_name',
    keepsInUse: sql`true`,
    where: (point: PatrolPoint, { ownerId }) => sql`
      kind = ${code(workKind, 'patrol')}
      and state = ${code(planState, 'enabled')}
      and subject_id in (
        select road_id
        from patrol_road_point
        where owner_id = ${ownerId} and point_id = ${point.id} and ${notDeleted()}
      )`,
  },
)
registerPlansOf('patrol', 'patrolRoad', '巡更计划')
registerDependentRows(
  'patrolTemplate',
  {
    label: '点位',
    table: 'patrol_point',
    where: (template: PatrolTemplate) => sql`template_id = ${template.id}`,
  },
  {
    label: '启用的巡更计划',
    table: 'work_plan',
    names: 'plan_name',
    keepsInUse: sql`true`,
    where: (template: PatrolTemplate, { ownerId }) => sql`
      kind = ${code(workKind, 'patrol')}
      and state = ${code(planState, 'enabled')}
      and subject_id in (
        select l.road_id
        from patrol_road_point l
        join patrol_point p on p.owner_id = ${ownerId} and p.id = l.point_id and ${notDeleted('p')}
        where l.owner_id = ${ownerId} and p.template_id = ${template.id} and ${notDeleted('l')}
      )`,
  },
)
