import { keysOf, labelOf } from '#kit/contract/field.ts'
import { isKernelName, isPackageName } from '#modules/files/contract/push-names.ts'
import { pushAction, remoteCommand } from '../contract/choices.ts'
import type { PushAction, RemoteCommand } from '../contract/remote-command.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { deviceActionLabel, deviceDataText } from './driver-command.ts'
import { parseCommandData } from './remote-input.ts'

export interface PushPayload {
  readonly action: PushAction
  readonly link: string
  readonly name: string
  readonly directory: string
}

const isPushAction = (text: string): text is PushAction => keysOf(pushAction).some(key => key === text)

/** What PUSHFILE carries, decoded: `action|link|name|directory`; nothing where it is none. */
export function readPushPayload(payload: string): PushPayload | undefined {
  const [action = '', link = '', name = '', ...rest] = payload.split('|')
  return isPushAction(action) && link ? { action, link, name, directory: rest.join('|') } : undefined
}

type PushedFile = Omit<PushPayload, 'link'>

/** A push as its task keeps it, without its link: `action|name|directory`. */
export const pushText = ({ action, name, directory }: PushedFile): string =>
  [action, name, directory].join('|')

/** No name has a `|` (FILE-2). */
export function readPushText(text: string): PushedFile | undefined {
  const [action = '', name = '', ...rest] = text.split('|')
  return isPushAction(action) && name ? { action, name, directory: rest.join('|') } : undefined
}

/** A command of a device: its driver's word for it, and the arguments as they were sent. */
function readDeviceText(cmdData: string): { readonly action: string; readonly text: string } {
  const parsed = parseCommandData('device', cmdData)
  if ('fault' in parsed) return { action: cmdData, text: '' }
  const { action, data } = parsed.input
  return { action: String(action), text: isObject(data) ? deviceDataText(String(action), data) : '' }
}

interface SentCommand {
  readonly cmdType: RemoteCommand
  readonly cmdData?: string | undefined
}

/** What a task does: a push by its way, any other command by its name. */
export function taskTitle({ cmdType, cmdData = '' }: SentCommand): string {
  const push = cmdType === 'pushFile' ? readPushText(cmdData) : undefined
  if (push) return labelOf(pushAction, push.action)
  return cmdType === 'device' && cmdData
    ? deviceActionLabel(readDeviceText(cmdData).action)
    : labelOf(remoteCommand, cmdType)
}

/** `门禁.zip → /opt/apps` of a push; of any other command what it was given. */
export function taskText({ cmdType, cmdData = '' }: SentCommand): string {
  const push = cmdType === 'pushFile' ? readPushText(cmdData) : undefined
  if (push) return `${push.name} → ${push.directory}`
  return cmdType === 'device' ? readDeviceText(cmdData).text : cmdData
}

/** RMT-4: what may be pushed in which way; the reason where it may not. */
export function pushFault(
  action: PushAction,
  file: { readonly name: string; readonly directoryType: 'ordinary' | 'push' | 'kernel' },
): string | undefined {
  const isKernelFolder = file.directoryType === 'kernel'
  if (action === 'kernel')
    return isKernelFolder && isKernelName(file.name)
      ? undefined
      : '推送内核须选择内核目录中名称含 .kernel 的文件'
  if (action === 'package') return isPackageName(file.name) ? undefined : '推送接口包须选择名称含 .zip 的文件'
  return isKernelFolder ? '内核目录中的文件不能作为普通文件推送，请使用推送内核' : undefined
}
