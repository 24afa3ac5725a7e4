import { call, type Permission } from '#kit/contract/call.ts'
import { crud, redeclareFields } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { choice, day, lines, moment, part, text } from '#kit/contract/field.ts'
import {
  bulkResult,
  byId,
  draftOf,
  listOfRows,
  noData,
  pageOf,
  reasonField,
  recordIdsField,
  recordOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { planState } from './choices.ts'
import { planFilters, planSheet, planSheetEntity, planWithout, workPlan } from './plan.ts'
import {
  assignInput,
  recordFilters,
  reappointTask,
  taskSearch,
  type listTasks as listAnyTasks,
} from './task-calls.ts'
import { shownSignFields, signAnswerFields, signFields, workStep, workTask } from './task.ts'

export interface KindCallsOptions {
  /** `CleaningPlan`, `CleaningTask`: in front of the calls of plans and of tasks. */
  readonly planPath: string
  readonly taskPath: string
  /** `保洁`: its plans are 保洁计划, its tasks 保洁任务. */
  readonly noun: string
  /** `模板`, `保洁点位`: what its plans are made from, and the places without which they ask for nothing. */
  readonly subjectLabel: string
  readonly targetLabel: string
  readonly permissions: Readonly<
    Record<'view' | 'add' | 'edit' | 'del' | 'execute' | 'arrange' | 'export', Permission>
  >
}

const affects = ['workTask', 'workStep']
const wireNames = { subjectId: ['TemplateID', 'SubjectID'], subjectName: ['TemplateName', 'SubjectName'] }
const draftWireNames = { subjectId: ['TemplateID', 'SubjectID'] }

const previewFields = {
  taskDate: day('日期', { required: true }),
  beginTime: moment('开始', { required: true }),
  endTime: moment('结束', { required: true }),
  targetName: text('对象'),
  staffNames: text('人员'),
  nobodyReason: text('无人可派'),
  absentNames: text('跳过人员'),
}

const draftFieldsOf = ({ subjectLabel, targetLabel }: KindCallsOptions) => ({
  subjectId: { ...workPlan.fields.subjectId, label: subjectLabel },
  targetIds: { ...workPlan.fields.targetIds, label: targetLabel, required: true },
})

function planCalls(options: KindCallsOptions) {
  const { planPath, noun, permissions } = options
  const draftFields = draftFieldsOf(options)
  const plans = crud(workPlan, {
    path: planPath,
    permissions,
    filters: planFilters,
    without: planWithout,
    affects,
    wireNames,
    draftWireNames,
    draftFields,
    itemName: `${noun}计划`,
    list: { title: `查询${noun}计划` },
    get: { title: `查看${noun}计划` },
    add: { title: `新增${noun}计划` },
    edit: { title: `编辑${noun}计划` },
    delete: { title: `删除${noun}计划` },
  })
  const preview = call({
    route: `POST ${planPath}/PostPreview`,
    title: `预览${noun}计划`,
    needs: permissions.view,
    readOnly: true,
    input: redeclareFields(draftOf(workPlan, planWithout, { wireNames: draftWireNames }), draftFields),
    output: listOfRows(previewFields),
  })
  const setState = call({
    route: `PUT ${planPath}/PutState`,
    title: `启用、停用${noun}计划`,
    needs: permissions.edit,
    affects: ['workPlan', ...affects],
    input: shape({
      ids: recordIdsField,
      state: choice('状态', planState, { required: true }),
      reason: text('原因', { max: 200 }),
    }),
    output: noData,
  })
  const sheet = { ...plans, entity: planSheetEntity(options.subjectLabel, options.targetLabel) }
  const exportPlans = crudExport(sheet, {
    needs: permissions.export,
    label: `${noun}计划`,
    columns: planSheet,
  })
  return { plans, preview, setState, exportPlans }
}

const taskParts = {
  task: part('任务', workTask.fields, { required: true }),
  steps: lines('任务记录', workStep.fields, { required: true }),
}

function taskCalls({ taskPath, noun, permissions }: KindCallsOptions) {
  const listTasks = call({
    route: `GET ${taskPath}/Get`,
    title: `查询${noun}任务`,
    needs: permissions.view,
    input: taskSearch,
    output: pageOf(workTask),
  })
  const getTask = call({
    route: `GET ${taskPath}/GetOne`,
    title: `查看${noun}任务`,
    needs: permissions.view,
    input: byId,
    output: shape({ ...taskParts, signs: lines('签到记录', shownSignFields, { required: true }) }),
  })
  const listOwn = call({
    route: `GET ${taskPath}/GetOwn`,
    title: `我的${noun}任务`,
    needs: permissions.execute,
    input: shape({}),
    output: listOfRows(taskParts, { entity: 'workTask' }),
  })
  const sign = call({
    route: `POST ${taskPath}/PostSign`,
    title: `填写${noun}任务`,
    needs: permissions.execute,
    affects,
    input: shape({
      signs: lines('签到', signFields, { required: true, min: 1, max: 200, wire: 'Signs' }),
      sentTime: moment('发送时间', { help: '设备发送时的时钟' }),
    }),
    output: listOfRows(signAnswerFields),
  })
  const disable = call({
    route: `POST ${taskPath}/PostDisable`,
    title: `停用${noun}任务`,
    needs: permissions.arrange,
    affects,
    input: shape({ ids: recordIdsField, reason: reasonField }),
    output: bulkResult,
  })
  const reappoint = call({
    route: `POST ${taskPath}/PostAgainAppoint`,
    title: `重派${noun}任务`,
    needs: permissions.arrange,
    affects,
    input: reappointTask.input,
    output: recordOf(workTask),
  })
  const assign = call({
    route: `POST ${taskPath}/PostAssign`,
    title: `指派、改派${noun}任务`,
    needs: permissions.arrange,
    affects,
    input: assignInput,
    output: bulkResult,
  })
  return { listTasks, getTask, listOwn, sign, disable, reappoint, assign }
}

/** What came of each item of the tasks, and the sheets of tasks and of these. */
function sheetCalls({ taskPath, noun, permissions }: KindCallsOptions, listTasks: typeof listAnyTasks) {
  const listRecords = call({
    route: `GET ${taskPath}Record/Get`,
    title: `查询${noun}任务记录`,
    needs: permissions.view,
    input: search(workStep, recordFilters),
    output: pageOf(workStep),
  })
  const exportTasks = declareExport({
    route: `GET ${taskPath}/GetExport`,
    title: `导出${noun}任务`,
    needs: permissions.export,
    list: listTasks,
  })
  const exportRecords = declareExport({
    route: `GET ${taskPath}Record/GetExport`,
    title: `导出${noun}任务记录`,
    needs: permissions.export,
    list: listRecords,
  })
  return { listRecords, exportTasks, exportRecords }
}

/** The calls of a kind whose tasks are templates of weighted items over places. */
export function kindCalls(options: KindCallsOptions) {
  const { plans, exportPlans, ...ofPlans } = planCalls(options)
  const ofTasks = taskCalls(options)
  const sheets = sheetCalls(options, ofTasks.listTasks)
  const { listRecords, exportTasks, exportRecords } = sheets
  return {
    ...options,
    plans,
    exportPlans,
    ...ofPlans,
    ...ofTasks,
    ...sheets,
    calls: [
      ...plans.calls,
      ...Object.values(ofPlans),
      ...Object.values(ofTasks),
      listRecords,
      ...[exportPlans, exportTasks, exportRecords].flatMap(each => each.calls),
    ],
  }
}

export type KindCalls = ReturnType<typeof kindCalls>
