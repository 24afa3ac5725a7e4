import { codeOf, keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { remoteCommand, taskState } from '../contract/choices.ts'
import { resultTextType, type PushAction, type RemoteCommand } from '../contract/remote-command.ts'
import type { CommandState } from './command-state.ts'

/** The computer of a site, as a command names it. */
export interface CommandGateway {
  readonly id: Id
  readonly gateNo?: string | undefined
  readonly name: string
}

export interface CommandDevice {
  readonly id: Id
  readonly devNo?: string | undefined
  readonly devType?: string | undefined
  readonly hostNo?: string | undefined
  readonly identity?: string | undefined
  readonly name: string
}

export interface FilePush {
  readonly action: PushAction
  /** To the file, as the file manager names it. */
  readonly link: string
  readonly name: string
  /** On the site's computer. */
  readonly directory: string
}

export interface CommandRequest {
  readonly gateway: CommandGateway
  /** Without it the command is for the gateway's computer. */
  readonly device?: CommandDevice | undefined
  readonly command: RemoteCommand
  /** The main value of the command, or its whole input as JSON. */
  readonly data?: string | undefined
  readonly push?: FilePush | undefined
  /** For `updateAgent`: the package in the cloud files. */
  readonly fileId?: Id | undefined
  /** RMT-2: the operator has confirmed what is dangerous. */
  readonly isConfirmed?: boolean
}

const encodeBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCodePoint(byte)).join(''))

export function decodeBase64(encoded: string): string {
  const bytes = Uint8Array.from(atob(encoded), character => character.codePointAt(0) ?? 0)
  return new TextDecoder().decode(bytes)
}

/** Action, link, name and directory joined by `|`, in base64 (0§7). */
export const encodePush = ({ action, link, name, directory }: FilePush): string =>
  encodeBase64([action, link, name, directory].join('|'))

const gatewayType = 'gateway'
export const pushFileName = 'PUSHFILE'

/** A command in the members of the specification (0§7). */
export function commandMessage(request: CommandRequest, taskNo: string): object {
  const { gateway, device, command, data = '', push, isConfirmed = false } = request
  return {
    devid: device?.id ?? gateway.id,
    devno: (device ? device.devNo : gateway.gateNo) ?? '',
    devtype: device ? (device.devType ?? '') : gatewayType,
    hostno: device?.hostNo ?? '',
    operation: 'TASK',
    cmdtype: push ? pushFileName : codeOf(remoteCommand, command),
    cmddata: push ? encodePush(push) : data,
    taskNo,
    identity: device?.identity ?? '',
    confirm: isConfirmed,
  }
}

export interface TaskResult {
  readonly taskNo: string
  readonly state: CommandState
  readonly reason: string | undefined
  /** Decoded where it is the text of a command line (2080). */
  readonly output: string
  readonly isText: boolean
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Reads a TASK_RESULT; nothing where it is none. */
export function readTaskResult(data: Readonly<Record<string, unknown>>): TaskResult | undefined {
  const state = keyOf(taskState, textOf(data.state))
  const taskNo = textOf(data.taskNo)
  if (!state || !taskNo) return undefined
  const isText = Number(data.cmdtype) === resultTextType
  const body = textOf(data.cmddata)
  return {
    taskNo,
    state,
    reason: textOf(data.message) || undefined,
    output: isText ? decodeBase64(body) : body,
    isText,
  }
}

let lastNumber = 0

/** From a timestamp (0§4), never twice on one page. */
export function nextTaskNo(now = Date.now()): string {
  lastNumber = Math.max(now, lastNumber + 1)
  return `${lastNumber}${String(Math.floor(Math.random() * 1000)).padStart(3, '0')}`
}
