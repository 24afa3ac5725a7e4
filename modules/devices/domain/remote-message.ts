import { keyOf, codeOf } from '#kit/contract/field.ts'
import { remoteCommand, taskState } from '../contract/choices.ts'
import { resultTextType, type RemoteCommand } from '../contract/remote-command.ts'
import type { TaskState } from './task-state.ts'

/** PUSHFILE is sent by its name in the specification, and by its number here. */
export const pushFileName = 'PUSHFILE'

/** The command behind a `cmdtype` of the browser's message. */
export function commandOf(cmdtype: unknown): RemoteCommand | undefined {
  if (cmdtype === pushFileName) return 'pushFile'
  return typeof cmdtype === 'number' || typeof cmdtype === 'string'
    ? keyOf(remoteCommand, cmdtype)
    : undefined
}

export interface EndedTask {
  readonly taskNo: string
  readonly clientNo?: string | undefined
  readonly deviceId: number
  readonly devNo?: string | undefined
  readonly devType?: string | undefined
  readonly hostNo?: string | undefined
  readonly identity?: string | undefined
  readonly command: RemoteCommand
  readonly state: TaskState
  readonly reason?: string | undefined
  readonly output?: string | undefined
  readonly data?: unknown
}

/**
 * TASK_RESULT, in the members of the specification. The text of a command line comes as type 2080, encoded
 * (base64); of a push, what became of the file; listings and what devices answer as JSON.
 */
export function taskResultMessage(id: number, task: EndedTask, encode: (text: string) => string): object {
  const isText = task.command === 'runShell'
  const output = task.output ?? ''
  const isPlainText = isText || (task.command === 'pushFile' && output !== '')
  return {
    id,
    devid: task.deviceId,
    devno: task.devNo ?? '',
    devtype: task.devType ?? '',
    hostno: task.hostNo ?? '',
    identity: task.identity ?? '',
    operation: 'TASK_RESULT',
    cmdtype: isText ? resultTextType : codeOf(remoteCommand, task.command),
    cmddata: isText
      ? encode(output)
      : isPlainText || task.data === undefined
        ? output
        : JSON.stringify(task.data),
    taskNo: task.clientNo ?? task.taskNo,
    serverTaskNo: task.taskNo,
    state: codeOf(taskState, task.state),
    message: task.reason ?? (task.state === 'done' ? '任务执行成功' : ''),
  }
}
