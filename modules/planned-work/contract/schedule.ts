import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { choice, day, idOf, list, moment, text } from '#kit/contract/field.ts'
import { draftOf, listOfRows, noData, recordIdsField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { planState, targetType } from './choices.ts'
import { planFilters, planWithout, workPlan } from './plan.ts'

const { permissions } = menu.plan

/** Plans of task standards; those of other kinds are the same records under the calls of their modules. */
export const schedules = crud(workPlan, {
  path: 'Schedule',
  permissions,
  filters: planFilters,
  without: planWithout,
  affects: ['workTask'],
  wireNames: { subjectId: ['StandardID', 'SubjectID'], subjectName: ['StandardName', 'SubjectName'] },
  draftWireNames: { subjectId: ['StandardID', 'SubjectID'] },
  itemName: '任务计划',
  list: { title: '查询任务计划' },
  get: { title: '查看任务计划' },
  add: { title: '新增任务计划' },
  edit: { title: '编辑任务计划' },
  delete: { title: '删除任务计划' },
})

export const previewFields = {
  day: day('日期', { required: true }),
  begin: moment('开始', { required: true }),
  end: moment('结束', { required: true }),
  targetName: text('对象'),
  staffNames: text('人员', { required: true }),
  nobodyReason: text('无人可派'),
  absences: text('跳过'),
}

/** What a plan will ask of whom in the next 14 days, before it is saved. */
export const previewSchedule = call({
  route: 'POST Schedule/PostPreview',
  title: '预览任务计划',
  needs: permissions.view,
  readOnly: true,
  input: draftOf(workPlan, planWithout, { wireNames: { subjectId: ['StandardID', 'SubjectID'] } }),
  output: listOfRows(previewFields),
})

export const setScheduleState = call({
  route: 'PUT Schedule/PutState',
  title: '启用、停用任务计划',
  needs: permissions.edit,
  affects: ['workPlan', 'workTask'],
  input: shape({
    ids: recordIdsField,
    state: choice('状态', planState, { required: true }),
    reason: text('原因', { max: 200 }),
  }),
  output: noData,
})

/** Objects that plans may be about. */
export const findTargets = call({
  route: 'GET Schedule/GetTargets',
  title: '查询任务对象',
  needs: permissions.view,
  input: shape({
    projectCode: estateField({ required: true }),
    targetType: choice('对象类别', targetType, { required: true }),
    keyword: text('关键字', { max: 40, wire: ['KeyWord', 'Keyword'] }),
    ids: list('编号', { max: 200, wire: 'Ids' }),
  }),
  output: listOfRows({
    id: idOf('编号', { required: true, wire: 'ID' }),
    name: text('名称', { required: true }),
  }),
})
