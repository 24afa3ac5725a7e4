import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { file, int, text } from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** A part of a project that is patrolled together: a garage, a garden, a building. */
export const patrolArea = entity(
  'patrolArea',
  '巡更区域',
  { table: 'patrol_area', tenancy: 'project', title: 'areaName', order: ['sort', 'id'] },
  {
    projectCode: estateField(),
    areaName: text('区域', { required: true, max: 40, searchable: true }),
    sort: int('排序', { required: true, initial: 0, min: 0, max: 9999, hiddenIn: ['filter'] }),
    drawing: file('平面图', {
      help: '区域的平面图或地图，点位布置在图上；不上传则以示意条显示路线',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    pointCount: int('点位数', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type PatrolArea = Row<typeof patrolArea>

export const patrolAreas = crud(patrolArea, {
  path: 'PatrolArea',
  permissions: menu.point.permissions,
  filters: [],
  add: { route: 'POST PatrolArea/post' },
  edit: { route: 'PUT PatrolArea/Put' },
})
