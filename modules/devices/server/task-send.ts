import { labelOf } from '#kit/contract/field.ts'
import { gatewayState } from '../contract/choices.ts'
import { invalidField, notFound } from '#kit/contract/wire.ts'
import type { Call } from '#kit/contract/call.ts'
import { audit } from '#kit/server/audit.ts'
import type { Id } from '#kit/domain/id.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { requirePermission } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { fileOfLink, nameFault, requireFileToSend, type FileToSend } from '#modules/files/server/public.ts'
import { pushedNameFault } from '../contract/pushed-name.ts'
import { commandRules, pushPermissions } from '../contract/remote-command.ts'
import { remoteTask, type RemoteTask, type sendRemoteTask } from '../contract/remote-task.ts'
import { driverCommandFault } from '../domain/driver-command.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { parseCommandData } from '../domain/remote-input.ts'
import { pushFault, pushText } from '../domain/push.ts'
import { assertAgentPackage } from './agent-package.ts'
import { insertTasks, type NewTask } from './task-insert.ts'
import { findTargets, type TaskTarget } from './task-target.ts'
import { requireWholeProject } from './whole-project.ts'

type SendInput = typeof sendRemoteTask extends Call<infer I> ? I : never

/** RMT-2: its own right for each command, and a second word for what is dangerous. */
function assertAllowed({ scope }: WriteContext, { cmdType, action = 'file', confirm }: SendInput): void {
  const { needs, isDangerous } = commandRules[cmdType]
  requirePermission(scope, cmdType === 'pushFile' ? pushPermissions[action] : needs)
  if (isDangerous && !confirm) throw invalidField('Confirm', '该指令需要再次确认后执行')
}

/** The file that is sent, by its number or by a link to it; never an address outside. */
async function findFile({ tx, app, scope }: WriteContext, { fileId, link }: SendInput): Promise<FileToSend> {
  if (fileId === undefined && link === undefined) throw invalidField('FileID', '请选择要推送的文件')
  const file = fileId === undefined ? fileOfLink(app, scope.ownerId, link ?? '') : { id: fileId }
  if (!file) throw invalidField('Link', '文件链接无效或已过期，请刷新页面后重新选择文件')
  return requireFileToSend(tx, app, scope, file)
}

interface CommandBody {
  readonly input: Readonly<Record<string, unknown>>
  /** What the log shows of it. */
  readonly cmdData?: string | undefined
  readonly fileId?: Id
}

async function pushBody(c: WriteContext, input: SendInput): Promise<CommandBody> {
  const { action = 'file', directory = '' } = input
  const { id: fileId, size, sha256, fileKey, directoryType, ...file } = await findFile(c, input)
  const fault = pushFault(action, { name: file.name, directoryType })
  if (fault) throw invalidField('FileID', fault)
  if (!directory.trim()) throw invalidField('Directory', '请选择目标目录')
  const name = input.fileName ?? file.name
  const wrongName = nameFault(name) ?? pushedNameFault(name) ?? pushFault(action, { name, directoryType })
  if (wrongName !== undefined) throw invalidField('FileName', wrongName)
  return {
    input: { fileKey, action, name, size, sha256, directory },
    cmdData: pushText({ action, name, directory }),
    fileId,
  }
}

async function updateBody(c: WriteContext, input: SendInput): Promise<CommandBody> {
  const { name, size, sha256, fileKey } = await findFile(c, input)
  const stored = await c.app.files.find(c.scope.ownerId, fileKey)
  if (!stored) throw notFound()
  await stored.withPath(path => assertAgentPackage(path, size))
  return { input: { fileKey, size, sha256 }, cmdData: name }
}

async function bodyOf(c: WriteContext, input: SendInput): Promise<CommandBody> {
  const { cmdType, cmdData } = input
  if (cmdType === 'pushFile') return pushBody(c, input)
  if (cmdType === 'updateAgent') return updateBody(c, input)
  const parsed = parseCommandData(cmdType, cmdData)
  if ('fault' in parsed) throw invalidField('CmdData', parsed.fault)
  return { input: parsed.input, cmdData }
}

/** Why a target gets nothing: reported at once, and stored. */
function unreachable({ gateway, device }: TaskTarget): string | undefined {
  if (gateway.state !== 'paired') return `网关${labelOf(gatewayState, gateway.state)}，未下发`
  if (!gateway.isOnline) return '网关离线，未下发'
  return device?.state === 'disabled' || device?.state === 'scrapped' ? '设备已停用，未下发' : undefined
}

/** What the computer does is its gateway's; a device gets its own commands and files. */
const deviceCommands: ReadonlySet<SendInput['cmdType']> = new Set(['device', 'pushFile'])

const taskOf = (input: SendInput, body: CommandBody, target: TaskTarget): NewTask => ({
  projectCode: target.gateway.projectCode,
  gatewayId: target.gateway.id,
  deviceId: deviceCommands.has(input.cmdType) ? (target.device?.id ?? 0) : 0,
  devNo: target.device?.devNo ?? target.gateway.gateNo,
  command: input.cmdType,
  ...body,
  clientNo: input.taskNo,
  reason: unreachable(target),
})

/** What the driver of a target declares is checked before anything is sent to any of them. */
function assertDeviceCommand(targets: readonly TaskTarget[], { input }: CommandBody): void {
  const { action, data } = input
  for (const { device } of targets) {
    const fault = driverCommandFault(device?.driver, String(action), isObject(data) ? data : {})
    if (fault) throw invalidField('CmdData', fault)
  }
}

/** One task for each target, in one transaction; the row of an offline target says so. */
export async function sendTasks(input: SendInput, c: WriteContext): Promise<readonly RemoteTask[]> {
  const { tx, scope } = c
  assertAllowed(c, input)
  const targets = await findTargets(tx, scope, input)
  if (input.cmdType === 'device' && targets.some(target => !target.device)) {
    throw invalidField('DeviceIds', '控制设备须选择设备')
  }
  const body = await bodyOf(c, input)
  if (input.cmdType === 'device') {
    assertDeviceCommand(targets, body)
  }
  const tasks = targets.map(target => taskOf(input, body, target))
  for (const { projectCode } of tasks.filter(task => task.deviceId === 0)) {
    requireWholeProject(scope, projectCode)
  }
  const ids = await insertTasks(tx, scope, tasks)
  const rows = await findByIds(tx, remoteTask, scope, ids)
  await audit(
    tx,
    scope,
    rows.map(row => ({
      action: 'insert',
      entity: 'remoteTask',
      entityId: row.id,
      projectCode: row.projectCode,
      after: row,
    })),
  )
  return rows
}
