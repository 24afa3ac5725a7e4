import type { DesiredItem, DeviceConfig, ServerMessage } from '#modules/devices/contract/agent-protocol.ts'
import { parseId } from '#kit/domain/id.ts'
import { BadMessage, countOf, idOf, listOf, objectOf, parseJson, textOf, type JsonObject } from './json.ts'

type Command = Extract<ServerMessage, { kind: 'command' }>

/** A newer server may know commands that this program does not: the name stays a text. */
export type CommandMessage = Omit<Command, 'command' | 'sentMs'> & {
  readonly command: string
  readonly sentMs?: number | undefined
  /** How long it was on its way, where that is known. */
  readonly ageMs?: number | undefined
}
export type ReceivedMessage = Exclude<ServerMessage, Command> | CommandMessage

export const readDevice = (value: unknown): DeviceConfig => {
  const device = objectOf(value, 'device')
  return {
    id: idOf(device.id, 'device.id'),
    devNo: textOf(device.devNo, 'device.devNo'),
    driver: textOf(device.driver, 'device.driver'),
    address: textOf(device.address, 'device.address'),
    settings: objectOf(device.settings, 'device.settings'),
    version: countOf(device.version, 'device.version'),
  }
}

const readDesired = (value: unknown): DesiredItem => {
  const item = objectOf(value, 'item')
  if (item.action !== 'put' && item.action !== 'remove') throw new BadMessage('item.action 无法识别')
  return {
    key: textOf(item.key, 'item.key'),
    version: countOf(item.version, 'item.version'),
    action: item.action,
    ...(item.data !== undefined && { data: objectOf(item.data, 'item.data') }),
  }
}

/** Undefined from an earlier server. */
const sentMsOf = (value: unknown): { readonly sentMs?: number } =>
  typeof value === 'number' ? { sentMs: value } : {}

const readers: {
  readonly [K in ReceivedMessage['kind']]: (m: JsonObject) => Extract<ReceivedMessage, { kind: K }>
} = {
  challenge: m => ({ kind: 'challenge', nonce: textOf(m.nonce, 'nonce', 500) }),
  welcome: m => ({
    kind: 'welcome',
    gatewayId: idOf(m.gatewayId, 'gatewayId'),
    gateNo: textOf(m.gateNo, 'gateNo'),
    name: textOf(m.name, 'name'),
    ackedSeq: countOf(m.ackedSeq, 'ackedSeq'),
    clock: textOf(m.clock, 'clock'),
    ...sentMsOf(m.sentMs),
    ...(m.takesParts === true && { takesParts: true }),
    ...(m.takesReadings === true && { takesReadings: true }),
    devices: listOf(m.devices, 'devices', readDevice),
  }),
  devices: m => ({ kind: 'devices', devices: listOf(m.devices, 'devices', readDevice) }),
  command: m => ({
    kind: 'command',
    taskId: idOf(m.taskId, 'taskId'),
    command: textOf(m.command, 'command', 100),
    deviceId: parseId(m.deviceId),
    input: objectOf(m.input, 'input'),
    timeoutMs: countOf(m.timeoutMs, 'timeoutMs'),
    ...sentMsOf(m.sentMs),
  }),
  cancel: m => ({ kind: 'cancel', taskId: idOf(m.taskId, 'taskId') }),
  resultAck: m => ({ kind: 'resultAck', taskId: idOf(m.taskId, 'taskId') }),
  outputPartAck: m => ({
    kind: 'outputPartAck',
    taskId: idOf(m.taskId, 'taskId'),
    attempt: textOf(m.attempt, 'attempt', 100),
    part: countOf(m.part, 'part'),
    ...(m.isRefused === true && { isRefused: true }),
  }),
  eventsAck: m => ({ kind: 'eventsAck', seq: countOf(m.seq, 'seq') }),
  desired: m => ({
    kind: 'desired',
    deviceId: idOf(m.deviceId, 'deviceId'),
    items: listOf(m.items, 'items', readDesired),
  }),
  readingAnswer: m => ({
    kind: 'readingAnswer',
    deviceId: idOf(m.deviceId, 'deviceId'),
    recordKey: textOf(m.recordKey, 'recordKey', 100),
    isOpen: m.isOpen === true,
    ...(m.usedTimes !== undefined && { usedTimes: countOf(m.usedTimes, 'usedTimes') }),
    ...(m.reason !== undefined && { reason: textOf(m.reason, 'reason', 200) }),
  }),
  beatAck: m => ({ kind: 'beatAck', clock: textOf(m.clock, 'clock'), ...sentMsOf(m.sentMs) }),
}

const isKnownKind = (kind: string): kind is ReceivedMessage['kind'] => Object.hasOwn(readers, kind)

/** What the server sent; undefined for a kind that this version does not know. Throws BadMessage. */
export function readServerMessage(text: string): ReceivedMessage | undefined {
  const message = objectOf(parseJson(text), 'message')
  const kind = textOf(message.kind, 'kind', 100)
  return isKnownKind(kind) ? readers[kind](message) : undefined
}
