import { call } from '#kit/contract/call.ts'
import { crud, idsFilter } from '#kit/contract/crud.ts'
import { choice, day, flag, idOf, int, keyRef, moment, ref, text } from '#kit/contract/field.ts'
import {
  bulkResult,
  byIdsWithReason,
  extendShape,
  draftOf,
  listOfRows,
  pageOfRows,
  shape,
} from '#kit/contract/shape.ts'
import { planState } from '#modules/planned-work/contract/choices.ts'
import { planFilters, planWithout, workPlan } from '#modules/planned-work/contract/plan.ts'
import { menu } from '../module.ts'

const { permissions } = menu.plan

const wireNames = { subjectId: ['SubjectID', 'RoadID'], subjectName: ['SubjectName', 'RoadName'] } as const
const affects = ['workTask', 'workStep']

/** Plans of rounds: the road is what they are about. */
export const patrolPlans = crud(workPlan, {
  path: 'PatrolPlan',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: planFilters,
  search: {
    roadId: ref('路线', 'patrolRoad', { wire: 'RoadID' }),
    staffId: ref('人员', 'staff', { wire: 'StaffID' }),
  },
  without: planWithout,
  list: { title: '查询巡更计划' },
  get: { title: '查看巡更计划' },
  save: { route: 'POST PatrolPlan/post', title: '保存巡更计划' },
  delete: { title: '删除巡更计划' },
  wireNames,
  draftWireNames: { subjectId: ['SubjectID', 'RoadID'] },
  itemName: '巡更计划',
  affects,
})

/** 10, 30 → 20 and its tasks are made; 20 → 30 and those that nobody has started go. */
export const setPatrolPlanState = call({
  route: 'PUT PatrolPlan/PutState',
  title: '启用或停用巡更计划',
  needs: permissions.state,
  affects: ['workPlan', ...affects],
  input: extendShape(byIdsWithReason, {
    state: choice('状态', planState, { required: true }),
  }),
  output: bulkResult,
})

const previewFields = {
  taskDate: day('日期', { required: true }),
  beginTime: moment('开始', { required: true }),
  endTime: moment('结束', { required: true }),
  staffNames: text('人员', { wire: 'StaffNames' }),
  nobodyReason: text('无人可派', { wire: 'NobodyReason' }),
  absentNames: text('跳过人员', { wire: 'AbsentNames' }),
}

/** What the plan as it is in the form asks of whom in the next fourteen days. */
export const previewPatrolPlan = call({
  route: 'POST PatrolPlan/GetPreview',
  title: '预览巡更计划',
  readOnly: true,
  needs: permissions.view,
  input: draftOf(workPlan, planWithout, { wireNames: { subjectId: ['SubjectID', 'RoadID'] } }),
  output: listOfRows(previewFields),
})

/** People who can be given rounds, and for the others the reason why not. */
export const listPatrolOfficers = call({
  route: 'GET patrol/v1/PatrolPlan/GetPlanUser',
  aliases: ['PatrolPlan/GetPlanUser'],
  title: '查询巡更人员',
  needs: permissions.view,
  input: shape({
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
    projectCode: keyRef('项目', 'estate', { dataDomain: 'project', wire: 'ProjectCode' }),
    keyword: text('关键字', { max: 40, wire: ['KeyWord', 'Keyword'] }),
    ids: idsFilter,
  }),
  output: pageOfRows({
    id: idOf('编号', { required: true, wire: 'ID' }),
    name: text('姓名', { required: true, wire: ['StaffName', 'Name'] }),
    departmentName: text('部门', { wire: 'DepartmentName' }),
    position: text('岗位'),
    hasAccount: flag('已关联账号', { required: true }),
    canWalk: flag('可现场巡更', { required: true }),
    planCount: int('计划', { required: true }),
    todayTasks: int('今日任务', { required: true }),
    openTasks: int('未完成', { required: true }),
  }),
})
