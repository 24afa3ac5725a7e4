import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  flag,
  id,
  idOf,
  int,
  lines,
  lookup,
  nestedLines,
  ref,
  text,
  type ChoiceOf,
  type Fields,
  type Id,
} from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { standardCategory } from './choices.ts'

/** A thing to check, with its share of the score. */
export const standardItemFields = {
  name: text('检查项', { required: true, max: 60 }),
  weight: int('权重', { required: true, min: 1, max: 100, initial: 1 }),
  needsPhoto: flag('需拍照'),
  raisesOrder: flag('不合格派工单'),
  minValue: text('下限', { max: 20 }),
  maxValue: text('上限', { max: 20 }),
  unit: text('单位', { max: 10 }),
}

/** What good work of a sort is: a tree, whose leaves hold the items that tasks check. */
export const taskStandard = entity(
  'taskStandard',
  '任务标准',
  { table: 'task_standard', tenancy: 'company', title: 'standardName', order: ['sort', 'id'] },
  {
    parentId: ref('上级', 'taskStandard', { wire: 'ParentID', hiddenIn: ['table', 'sheet', 'detail'] }),
    standardName: text('名称', { required: true, max: 60, searchable: true }),
    parentName: lookup('上级', 'parentId', 'standardName', { wire: 'ParentName' }),
    category: choice('类别', standardCategory, { required: true, initial: 'cleaning' }),
    items: lines('检查项', standardItemFields, {
      max: 100,
      wire: ['ItemsJson', 'Items'],
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    itemCount: int('检查项数', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    cycle: text('建议周期', { max: 40 }),
    orderTypeId: ref('工单类型', 'workOrderType', {
      wire: 'OrderTypeID',
      help: '不合格时按此类型派工单',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    sort: int('排序', { required: true, initial: 0, min: 0, max: 9999, hiddenIn: ['filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type TaskStandard = Row<typeof taskStandard>

export const taskStandards = crud(taskStandard, {
  path: 'TaskStandard',
  permissions: menu.standard.permissions,
  filters: ['category', 'state', 'parentId'],
  search: { underId: idOf('所属标准', { wire: 'UnderID', min: 1 }) },
})

interface StandardNode {
  readonly id: Id
  readonly standardName: string
  readonly category: ChoiceOf<typeof standardCategory>
  readonly itemCount: number
  readonly children?: readonly StandardNode[]
}

const nodeFields = {
  id: id(),
  standardName: text('名称', { required: true, wire: 'StandardName' }),
  category: choice('类别', standardCategory, { required: true }),
  itemCount: int('检查项数', { required: true }),
  children: nestedLines<StandardNode>('下级', (): Fields => nodeFields),
}

/** Every standard in use, as a tree. */
export const getStandardTree = call({
  route: 'GET TaskStandard/GetTree',
  title: '查询任务标准树',
  needs: menu.standard.permissions.view,
  input: shape({ category: choice('类别', standardCategory) }),
  output: listOfRows(nodeFields, { entity: 'taskStandard' }),
})
