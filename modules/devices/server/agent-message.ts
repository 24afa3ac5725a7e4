import { parseId, type Id } from '#kit/domain/id.ts'
import { isObject, type RawObject } from '#kit/contract/wire/members.ts'
import {
  commandOutcomeOf,
  maxEventsPerMessage,
  maxPartBytes,
  type AgentCommand,
  type AgentEvent,
  type AgentMessage,
  type CommandOutcomeKind,
  type PartName,
  type ReportedItem,
} from '../contract/agent-protocol.ts'
import { remoteCommand } from '../contract/choices.ts'
import { readEventTime, type EventTime } from '../domain/event-time.ts'
import { keysOf } from '#kit/contract/field.ts'
import { cleanJson } from './clean-json.ts'

/** What does not speak the protocol: the connection ends. */
export class BadMessage extends Error {}

const fail = (why: string): never => {
  throw new BadMessage(why)
}

const text = (value: unknown, max: number): string =>
  typeof value === 'string' && value.length <= max ? value : fail('text')

/** What people read of it: one that is too long is cut, and stops nobody. */
const cutText = (value: unknown, max: number): string =>
  typeof value === 'string' ? value.slice(0, max).toWellFormed() : fail('text')

const optionalText = (value: unknown, max: number): string | undefined =>
  value === undefined || value === null ? undefined : cutText(value, max)

const number = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fail('number')

const count = (value: unknown): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(number(value))))

const seqOf = (value: unknown): number => {
  const seq = number(value)
  return Number.isSafeInteger(seq) && seq > 0 ? seq : fail('seq')
}

const idOf = (value: unknown): Id => parseId(value) || fail('id')

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

/** An event as it came in. */
export interface ReceivedEvent extends Omit<AgentEvent, 'ageMs' | 'recordedAt'>, EventTime {
  readonly at: string
  /** Why no module gets it: it is kept all the same, and those behind it go on. */
  readonly refusal?: string
}

const unreadable = '事件格式不正确'
const unknownType = 'unknown'

/** One that is not as the protocol says is kept as refused: were it not taken, it would come for ever. */
const eventOf = (value: unknown, now: number, clockOffset: number): ReceivedEvent => {
  const raw = record(value)
  const { type, deviceId = 0, data = {} } = raw
  const id = parseId(deviceId)
  const isReadable = typeof type === 'string' && type !== '' && (id > 0 || deviceId === 0) && isObject(data)
  return {
    seq: seqOf(raw.seq),
    deviceId: id,
    ...(typeof raw.devNo === 'string' && raw.devNo ? { devNo: cutText(raw.devNo, 60) } : {}),
    type: typeof type === 'string' && type ? cutText(type, 40) : unknownType,
    data: isObject(data) ? data : { data },
    ...readEventTime(raw.at, {
      receivedAt: now,
      clockOffset,
      ageMs: raw.ageMs,
      recordedAt: raw.recordedAt,
    }),
    ...(isReadable ? {} : { refusal: unreadable }),
  }
}

const itemOf = (value: unknown): ReportedItem => {
  const raw = record(value)
  const reason = optionalText(raw.reason, 2000)
  return {
    key: cutText(raw.key, 100),
    version: count(raw.version),
    outcome: raw.outcome === 'done' ? 'done' : 'failed',
    ...(reason === undefined ? {} : { reason }),
  }
}

/** What an agent sent, with its events as they are kept. */
export type ReceivedMessage =
  | Exclude<AgentMessage, { kind: 'events' }>
  | { readonly kind: 'events'; readonly events: readonly ReceivedEvent[] }

type Reader = (raw: RawObject, now: number, clockOffset: number) => ReceivedMessage

const readHello: Reader = raw => ({
  kind: 'hello',
  protocol: count(raw.protocol),
  keyId: text(raw.keyId, 64),
  signature: text(raw.signature, 200),
  version: cutText(raw.version, 20),
  hostName: cutText(raw.hostName, 100),
  platform: cutText(raw.platform, 60),
  allowed: list(raw.allowed, 100).filter(isCommand),
  drivers: list(raw.drivers, 100).map(driver => cutText(driver, 40)),
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

/** How an agent says it that knows only done and failed. */
const timeOutWords = /^(执行超时（|已超过执行时限)/

const resultOutcome = (raw: RawObject, reason: string | undefined): CommandOutcomeKind => {
  const outcome = commandOutcomeOf(raw.outcome)
  return outcome === 'failed' && timeOutWords.test(reason ?? '') ? 'timedOut' : outcome
}

const wholeOf = (raw: RawObject) => ({
  attempt: text(raw.attempt, 100),
  parts: count(raw.parts),
  sha256: text(raw.sha256, 64),
})

const partNameOf = (raw: RawObject): PartName => ({
  taskId: idOf(raw.taskId),
  attempt: text(raw.attempt, 100),
  part: count(raw.part),
})

const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'

/** One whose content is none ends its task as failed: the agent would send it for ever. */
const readResult: Reader = raw => {
  const taskId = idOf(raw.taskId)
  if (!isText(raw.output) || !isText(raw.reason))
    return { kind: 'result', taskId, outcome: 'failed', reason: '结果格式不正确，未保存' }
  const output = optionalText(raw.output, 1_000_000)
  const reason = optionalText(raw.reason, 2000)
  return {
    kind: 'result',
    taskId,
    outcome: resultOutcome(raw, reason),
    ...(raw.isRefused === true ? { isRefused: true } : {}),
    ...(raw.data === undefined ? {} : { data: raw.data }),
    ...(output === undefined ? {} : { output }),
    ...(reason === undefined ? {} : { reason }),
    ...(isObject(raw.whole) ? { whole: wholeOf(raw.whole) } : {}),
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
  outputPart: raw => ({
    kind: 'outputPart',
    ...partNameOf(raw),
    bytes: text(raw.bytes, Math.ceil(maxPartBytes / 3) * 4),
  }),
  events: (raw, now, clockOffset) => ({
    kind: 'events',
    events: list(raw.events, maxEventsPerMessage).map(event => eventOf(event, now, clockOffset)),
  }),
  reading: raw => ({
    kind: 'reading',
    deviceId: idOf(raw.deviceId),
    recordKey: text(raw.recordKey, 80),
    key: text(raw.key, 100),
  }),
  reported: raw => ({
    kind: 'reported',
    deviceId: idOf(raw.deviceId),
    items: list(raw.items, 2000).map(itemOf),
  }),
}

const isKind = (kind: unknown): kind is AgentMessage['kind'] =>
  typeof kind === 'string' && Object.hasOwn(readers, kind)

/**
 * Reads what an agent sent: the one place where its frames come in, so that no text of it is one that cannot
 * be stored. Throws `BadMessage` where it is not as the protocol says. `clockOffset`: how far its clock is
 * ahead.
 */
export function parseAgentMessage(message: string, now: number, clockOffset = 0): ReceivedMessage {
  let raw: unknown
  try {
    raw = cleanJson(message)
  } catch {
    return fail('JSON')
  }
  const members = record(raw)
  return isKind(members.kind) ? readers[members.kind](members, now, clockOffset) : fail('kind')
}
