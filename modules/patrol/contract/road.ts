import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, lines, lookup, ref, text } from '#kit/contract/field.ts'
import { byId, draftOf, extendShape, recordOf } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { roadDrawing } from './drawing.ts'

export const maxRoadPoints = 100

/** Points in the order in which they are walked, with the time of each leg (PAT-1). */
export const patrolRoad = entity(
  'patrolRoad',
  '巡更路线',
  { table: 'patrol_road', tenancy: 'project', title: 'roadName', order: ['id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table'] }),
    roadName: text('名称', { required: true, max: 60, searchable: true }),
    areaId: ref('区域', 'patrolArea', { wire: 'AreaID', hiddenIn: ['table', 'sheet', 'detail'] }),
    areaName: lookup('区域', 'areaId', 'areaName', { wire: 'AreaName' }),
    inOrder: flag('按序', { required: true, initial: true, help: '先到后面的点位记为乱序' }),
    pointCount: int('点位数', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    totalMinutes: int('总时长', {
      required: true,
      immutable: true,
      unit: '分钟',
      hiddenIn: ['form', 'filter'],
    }),
    orderTypeId: ref('异常工单类型', 'workOrderType', {
      wire: 'OrderTypeID',
      help: '上报的异常按此类型派工单；不选则只记录',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type PatrolRoad = Row<typeof patrolRoad>

export const legFields = {
  pointId: ref('点位', 'patrolPoint', { required: true, wire: 'LocationID' }),
  legMinutes: int('到达间隔', {
    required: true,
    min: 0,
    max: 600,
    initial: 5,
    unit: '分钟',
    help: '从上一点位到此点位；首个点位从开始时间算起',
  }),
  tolerance: int('允许误差', { required: true, min: 0, max: 120, initial: 5, unit: '分钟' }),
} as const

/** One point of a road. */
export const patrolRoadPoint = entity(
  'patrolRoadPoint',
  '路线点位',
  { table: 'patrol_road_point', tenancy: 'project', title: 'pointName', order: ['roadId', 'sort'] },
  {
    projectCode: estateField(),
    roadId: ref('路线', 'patrolRoad', { required: true, wire: 'RoadID' }),
    sort: int('顺序', { required: true, min: 1, max: maxRoadPoints }),
    ...legFields,
    pointName: lookup('点位', 'pointId', 'pointName', { wire: 'LocationName' }),
  },
)

export type PatrolRoadPoint = Row<typeof patrolRoadPoint>

const { permissions } = menu.road

export const patrolRoads = crud(patrolRoad, {
  path: 'PatrolRoad',
  permissions,
  operations: ['list', 'delete'],
  filters: ['areaId', 'inOrder', 'state'],
})

export const pickRoads = pickerOf(patrolRoad, {
  route: 'GET PatrolRoad/GetPick',
  title: '选择巡更路线',
  fields: ['id', 'roadName', 'pointCount', 'totalMinutes', 'state'],
  search: { ids: idsFilter },
})

const legs = lines('点位', legFields, { required: true, min: 2, max: maxRoadPoints, wire: 'Points' })

/** A road with its points, in their order. */
export const getRoad = call({
  route: 'GET PatrolRoad/GetOne',
  title: '查看巡更路线',
  needs: permissions.view,
  input: byId,
  output: extendShape(recordOf(patrolRoad), {
    points: lines(
      '点位',
      { ...legFields, pointName: text('点位', { wire: 'LocationName' }) },
      { required: true, wire: 'Points' },
    ),
    drawing: roadDrawing,
  }),
})

const draft = extendShape(draftOf(patrolRoad, ['totalMinutes']), { points: legs })

export const addRoad = call({
  route: 'POST PatrolRoad/Post',
  title: '新增巡更路线',
  needs: permissions.add,
  input: draft,
  output: recordOf(patrolRoad),
  affects: ['patrolRoad', 'patrolRoadPoint'],
})

/** Its points become those that are sent, in that order; tasks not started follow (PAT-10). */
export const editRoad = call({
  route: 'PUT PatrolRoad/Put',
  title: '编辑巡更路线',
  needs: permissions.edit,
  input: draft,
  output: recordOf(patrolRoad),
  affects: ['patrolRoad', 'patrolRoadPoint', 'workTask'],
})
