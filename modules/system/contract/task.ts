import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, file, int, lines, moment, ref, text } from '#kit/contract/field.ts'
import { fileResponse, byId, noData, recordOf, pageOf, search } from '#kit/contract/shape.ts'

export const taskType = choiceTable('TaskType', '任务类型', {
  import: [10, '导入'],
  export: [20, '导出'],
  billing: [30, '账单生成'],
  abolish: [40, '批量作废'],
  reminder: [50, '催缴'],
  sms: [60, '短信'],
  deliver: [70, '下发'],
})

/** IMP-1 and 已停止. */
export const taskState = choiceTable('TaskState', '任务状态', {
  waiting: [10, '待处理', 'todo'],
  running: [20, '处理中', 'doing'],
  done: [30, '完成', 'done'],
  failed: [40, '失败', 'bad'],
  partly: [50, '部分成功', 'hold'],
  stopped: [60, '已停止', 'off'],
})

/** Long work of an operator: imports, exports, generation. Results are kept seven days. */
export const taskCenter = entity(
  'taskCenter',
  '任务',
  { table: 'task_center', tenancy: 'company', title: 'title', order: ['-id'] },
  {
    projectCode: text('项目', { max: 20 }),
    title: text('任务', { required: true, max: 120, searchable: true }),
    taskType: choice('类型', taskType),
    kind: text('业务', { required: true, max: 60, wire: 'BizKey' }),
    state: choice('状态', taskState, { required: true, initial: 'waiting' }),
    done: int('已处理', { required: true }),
    total: int('总数'),
    success: int('成功', { required: true }),
    fail: int('失败', { required: true }),
    skipped: int('跳过', { required: true }),
    note: text('正在进行', { max: 200 }),
    message: text('结果说明', { max: 500 }),
    summary: lines('失败原因', {
      reason: text('原因', { required: true }),
      count: int('行数', { required: true }),
    }),
    resultFile: file('结果文件', { wire: 'ResultUrl' }),
    faultFile: file('错误行文件', { wire: 'FaultUrl' }),
    expireTime: moment('文件保留至'),
    operatorId: ref('操作员', 'manager', { required: true }),
    operatorName: text('操作人', { required: true, max: 40 }),
    startTime: moment('开始时间'),
    endTime: moment('结束时间'),
  },
)

export type Task = Row<typeof taskCenter>

/** The caller's own tasks, the latest first. */
export const listTasks = call({
  route: 'GET TaskCenter/Get',
  title: '查询任务',
  needs: everyone,
  openToKeys: true,
  input: search(taskCenter, ['state', 'taskType', 'createTime']),
  output: pageOf(taskCenter),
})

export const getTask = call({
  route: 'GET TaskCenter/GetOne',
  title: '查看任务',
  needs: everyone,
  openToKeys: true,
  input: byId,
  output: recordOf(taskCenter),
})

/** At once where it waits; where it runs, at its next step: what it has done stays. */
export const cancelTask = call({
  route: 'POST TaskCenter/Cancel',
  title: '停止任务',
  needs: everyone,
  openToKeys: true,
  input: byId,
  output: noData,
  affects: ['taskCenter'],
})

/** Failed and stopped tasks go on from where they stood. */
export const retryTask = call({
  route: 'POST TaskCenter/Retry',
  title: '重试任务',
  needs: everyone,
  openToKeys: true,
  input: byId,
  output: noData,
  affects: ['taskCenter'],
})

export const downloadTaskResult = call({
  route: 'GET TaskCenter/Download',
  title: '下载任务结果',
  needs: everyone,
  openToKeys: true,
  input: byId,
  output: fileResponse,
})

export const downloadTaskFaults = call({
  route: 'GET TaskCenter/DownloadFaults',
  title: '下载错误行',
  needs: everyone,
  openToKeys: true,
  input: byId,
  output: fileResponse,
})
