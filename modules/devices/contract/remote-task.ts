import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import {
  bulkResult,
  extendShape,
  fileResponse,
  idRule,
  listOf,
  recordIdField,
  recordIdsField,
  recordOf,
  shape,
} from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { pushAction, remoteCommand, taskState } from './choices.ts'

const { permissions } = menu.command
const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** One command to one gateway or device (RMT-1). Its whole output is loaded with `RemoteTask/GetOne`. */
export const remoteTask = entity(
  'remoteTask',
  '远程任务',
  { table: 'remote_task', tenancy: 'project', title: 'taskNo', order: ['-id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('deviceId'),
    taskNo: text('任务号', { required: true, max: 60, searchable: true }),
    /** The sender's own number, from a timestamp; it need not be unique. */
    clientNo: text('发送方任务号', { max: 40, wire: 'ClientNo', ...internalOnly }),
    gatewayId: ref('网关', 'gateway', { required: true }),
    gatewayName: lookup('网关', 'gatewayId', 'name', { wire: 'GatewayName' }),
    gateNo: lookup('网关号', 'gatewayId', 'gateNo', { hiddenIn: ['table'] }),
    /** 0: the gateway's computer itself. */
    deviceId: ref('设备', 'device', { required: true, initial: 0 }),
    deviceName: lookup('设备', 'deviceId', 'name', { wire: 'DevName' }),
    devNo: text('设备号', { max: 30, searchable: true }),
    cmdType: choice('指令', remoteCommand, { required: true }),
    cmdData: text('参数', { max: 2000 }),
    operatorId: ref('操作人', 'manager', { required: true, wire: 'OperatorID' }),
    operatorName: text('操作人', { required: true, max: 40 }),
    sendTime: moment('下发时间', { required: true }),
    receiveTime: moment('接收时间', { hiddenIn: ['table'] }),
    endTime: moment('结束时间'),
    /** When it times out. */
    deadline: moment('截止时间', { required: true, ...internalOnly }),
    state: choice('状态', taskState, { required: true, initial: 'sent' }),
    progressDone: int('已完成', { hiddenIn: ['filter'], max: Number.MAX_SAFE_INTEGER }),
    progressTotal: int('总量', { hiddenIn: ['filter'], max: Number.MAX_SAFE_INTEGER }),
    reason: text('说明', { max: 500 }),
    isCancelling: flag('取消中', { required: true, initial: false, ...internalOnly }),
    isDangerous: flag('危险指令', { required: true, initial: false, hiddenIn: ['form', 'table'] }),
  },
)

export type RemoteTask = Row<typeof remoteTask>

/** The whole of an output that is shown in part (RMT-2). */
export const wholeOutputFields = {
  outputSize: int('完整输出大小', { unit: 'B' }),
  outputSha256: text('SHA-256'),
}

const taskDetail = extendShape(recordOf(remoteTask), {
  /** What a program wrote, or what the device answered as JSON; for the sender and 设备安全. */
  output: text('结果', { wire: 'ResultText' }),
  /** Rows of a listing, as JSON (`AgentListings`). */
  rows: text('列表', { wire: 'ResultData' }),
  ...wholeOutputFields,
})

const tasks = crud(remoteTask, {
  path: 'RemoteTask',
  permissions,
  operations: ['list'],
  filters: ['cmdType', 'state', 'gatewayId', 'deviceId', 'operatorId', 'sendTime', 'isDangerous'],
  search: {
    /** Pushes of this cloud file only. */
    fileId: idOf('文件', { min: 1, wire: 'FileID' }),
  },
})

export const remoteTasks = tasks
export const { list: listRemoteTasks } = tasks

export const getRemoteTask = call({
  route: 'GET RemoteTask/GetOne',
  title: '查看远程任务',
  needs: permissions.view,
  input: shape({ id: recordIdField }),
  output: taskDetail,
})

/** For those who may see the result. */
export const downloadTaskOutput = call({
  route: 'GET RemoteTask/DownloadOutput',
  title: '下载远程任务的完整输出',
  needs: permissions.view,
  input: shape({ id: recordIdField }),
  output: fileResponse,
})

const targetIds = (label: string) => list(label, { max: 200, rule: idRule })

/**
 * One task for each target. `cmdData`: the JSON of the command's input (`AgentCommandInputs`), or its main
 * value alone: a process number, a service's name, a path, a command line. Files are named by `fileId`.
 */
export const sendRemoteTask = call({
  route: 'POST RemoteTask/Send',
  title: '发送远程指令',
  needs: permissions.send,
  perMinute: 120,
  affects: ['remoteTask'],
  input: shape({
    gatewayIds: targetIds('网关'),
    deviceIds: targetIds('设备'),
    /** The same by their numbers. */
    gateNos: list('网关号', { max: 200 }),
    devNos: list('设备号', { max: 200 }),
    cmdType: choice('指令', remoteCommand, { required: true, wire: 'CmdType' }),
    cmdData: text('参数', { max: 2000 }),
    fileId: idOf('文件', { min: 1, wire: 'FileID' }),
    /** A link of this server to the file instead of its number, as PUSHFILE names it. */
    link: text('文件链接', { max: 500 }),
    /** What the file is to be called on site; its own name without. */
    fileName: text('文件名', { max: 100 }),
    action: choice('推送方式', pushAction, { initial: 'file' }),
    directory: text('目标目录', { max: 300 }),
    /** RMT-2: repeated as a confirmation of dangerous commands. */
    confirm: flag('确认执行', { wire: 'Confirm' }),
    taskNo: text('任务号', { max: 40, wire: 'TaskNo' }),
  }),
  output: listOf(remoteTask),
})

/** What the site has started is ended by the site, which tells how; what it has not got never runs. */
export const cancelRemoteTasks = call({
  route: 'POST RemoteTask/Cancel',
  title: '取消远程任务',
  needs: permissions.send,
  affects: ['remoteTask'],
  input: shape({ ids: recordIdsField }),
  output: bulkResult,
})
