import { asId, parseId, type Id } from '#kit/domain/id.ts'
import { isObject, type RawObject } from '#kit/contract/wire/members.ts'
import {
  maxEventsPerMessage,
  type AgentCommand,
  type AgentEvent,
  type AgentMessage,
  type ReportedItem,
} from '../contract/agent-protocol.ts'
import { remoteCommand } from '../contract/choices.ts'
import { keysOf } from '#kit/contract/field.ts'

/** What does not speak the protocol: the connection ends. */
export class BadMessage extends Error {}

const fail = (why: string): never => {
  throw new BadMessage(why)
}

const text = (value: unknown, max: number): string =>
  typeof value === 'string' && value.length <= max ? value.replaceAll('\0', '') : fail('text')

const optionalText = (value: unknown, max: number): string | undefined =>
  value === undefined || value === null ? undefined : text(value, max)

const number = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fail('number')

const count = (value: unknown): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(number(value))))

const seqOf = (value: unknown): number => {
  const seq = number(value)
  return Number.isSafeInteger(seq) && seq > 0 ? seq : fail('seq')
}

const idOf = (value: unknown): Id => parseId(value) || fail('id')
const deviceIdOf = (value: unknown): Id => (value === 0 ? asId(0) : idOf(value))

const list = (value: unknown, max: number): readonly unknown[] =>
  Array.isArray(value) && value.length <= max ? value : fail('list')

const record = (value: unknown): RawObject => (isObject(value) ? value : fail('object'))

/** The instant of the site's clock; an invalid one is reported as such. */
const instant = (value: unknown): string => {
  const iso = text(value, 40)
  return Number.isNaN(Date.parse(iso)) ? fail('instant') : iso
}

const commandKeys: ReadonlySet<string> = new Set(keysOf(remoteCommand))
const isCommand = (value: unknown): value is AgentCommand =>
  typeof value === 'string' && commandKeys.has(value)

const eventOf = (value: unknown): AgentEvent => {
  const raw = record(value)
  return {
    seq: seqOf(raw.seq),
    deviceId: deviceIdOf(raw.deviceId),
    at: instant(raw.at),
    type: text(raw.type, 40),
    data: record(raw.data ?? {}),
  }
}

const itemOf = (value: unknown): ReportedItem => {
  const raw = record(value)
  const reason = optionalText(raw.reason, 2000)
  return {
    key: text(raw.key, 100),
    version: count(raw.version),
    outcome: raw.outcome === 'done' ? 'done' : 'failed',
    ...(reason === undefined ? {} : { reason }),
  }
}

type Reader = (raw: RawObject) => AgentMessage

const readHello: Reader = raw => ({
  kind: 'hello',
  protocol: count(raw.protocol),
  keyId: text(raw.keyId, 64),
  signature: text(raw.signature, 200),
  version: text(raw.version, 20),
  hostName: text(raw.hostName, 100),
  platform: text(raw.platform, 60),
  allowed: list(raw.allowed, 100).filter(isCommand),
  drivers: list(raw.drivers, 100).map(driver => text(driver, 40)),
  clock: instant(raw.clock),
})

const readBeat: Reader = raw => ({
  kind: 'beat',
  clock: instant(raw.clock),
  devices: list(raw.devices, 5000).map(value => {
    const device = record(value)
    const kernelVersion = optionalText(device.kernelVersion, 20)
    return {
      id: idOf(device.id),
      isOnline: device.isOnline === true,
      ...(kernelVersion === undefined ? {} : { kernelVersion }),
    }
  }),
  bufferedEvents: count(raw.bufferedEvents),
  freeBytes: count(raw.freeBytes),
})

const readResult: Reader = raw => {
  const output = optionalText(raw.output, 1_000_000)
  const reason = optionalText(raw.reason, 2000)
  return {
    kind: 'result',
    taskId: idOf(raw.taskId),
    outcome: raw.outcome === 'done' ? 'done' : 'failed',
    ...(raw.data === undefined ? {} : { data: raw.data }),
    ...(output === undefined ? {} : { output }),
    ...(reason === undefined ? {} : { reason }),
  }
}

const readers: Readonly<Record<AgentMessage['kind'], Reader>> = {
  hello: readHello,
  beat: readBeat,
  received: raw => ({ kind: 'received', taskId: idOf(raw.taskId) }),
  progress: raw => ({
    kind: 'progress',
    taskId: idOf(raw.taskId),
    done: count(raw.done),
    total: count(raw.total),
  }),
  result: readResult,
  events: raw => ({ kind: 'events', events: list(raw.events, maxEventsPerMessage).map(eventOf) }),
  reported: raw => ({
    kind: 'reported',
    deviceId: idOf(raw.deviceId),
    items: list(raw.items, 2000).map(itemOf),
  }),
}

const isKind = (kind: unknown): kind is AgentMessage['kind'] =>
  typeof kind === 'string' && Object.hasOwn(readers, kind)

/** Reads what an agent sent; throws `BadMessage` where it is not as the protocol says. */
export function parseAgentMessage(message: string): AgentMessage {
  let raw: unknown
  try {
    raw = JSON.parse(message)
  } catch {
    return fail('JSON')
  }
  const members = record(raw)
  return isKind(members.kind) ? readers[members.kind](members) : fail('kind')
}
