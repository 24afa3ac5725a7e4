import type { JsonObject } from '../../json.ts'
import type { DriverEvent } from '../driver.ts'
import { wayOf } from './readers.ts'

/** How somebody opened, by the codes of open-door records. */
const method = { card: 1, face: 3, qr: 4, remote: 5, password: 6, button: 7, fingerprint: 8 } as const

interface Outcome {
  readonly method: number
  readonly result: 0 | 1
  readonly reason?: string
}

const passed = (by: number): Outcome => ({ method: by, result: 1 })
const refused = (by: number, reason: string): Outcome => ({ method: by, result: 0, reason })

export const cardPassed = 1
export const unknownCard = 9
export const atDoorway = 5

/** Major 5: what happens at a reader or a door, by the minor code of the protocol. */
const outcomes: Readonly<Record<number, Outcome>> = {
  [cardPassed]: passed(method.card),
  6: refused(method.card, '没有此门的权限'),
  7: refused(method.card, '不在可通行时间段'),
  8: refused(method.card, '凭证不在有效期'),
  [unknownCard]: refused(method.card, '卡号未登记'),
  23: passed(method.button),
  38: passed(method.fingerprint),
  39: refused(method.fingerprint, '指纹不匹配'),
  49: refused(method.fingerprint, '指纹未登记'),
  75: passed(method.face),
  76: refused(method.face, '人脸不匹配'),
}

const forced = 27
const openTooLong = 28
const closed = 26
const operation = 3
const remoteOpen = 1024

export const isRemoteOpen = ({ major, minor }: JsonObject): boolean =>
  Number(major) === operation && Number(minor) === remoteOpen

/** A record as the driver reports it. */
export type ReadRecord = JsonObject & {
  /** Why the driver did not open the door. */
  readonly refusal?: string
  /** An entrance was decided on: the server has to hear how it ended. */
  readonly isDecided?: boolean
}

export interface RecordContext {
  /** The serial number of the controller: another one counts from the start. */
  readonly serial: string
  /** What the device is for: 10 out, 20 in, 30 both. */
  readonly direction: number
  readonly keyOf: (employeeNo: string) => string | undefined
  /** An alarm that is not over. */
  readonly isHeldOpen: boolean
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const directionOf = ({ cardReaderNo }: JsonObject, direction: number): 1 | 2 =>
  wayOf(Number(cardReaderNo), direction) === 10 ? 2 : 1

/** The reading of a code has the key of the passage that follows it. */
export const keyOfRecord = ({ serialNo }: JsonObject, { serial }: Pick<RecordContext, 'serial'>): string =>
  `${serial}:${String(serialNo)}`

function outcomeOf(record: ReadRecord): Outcome | undefined {
  if (isRemoteOpen(record)) return passed(method.remote)
  const minor = Number(record.minor)
  if (Number(record.major) !== atDoorway) return undefined
  return minor === unknownCard && record.refusal !== undefined
    ? refused(method.card, record.refusal)
    : outcomes[minor]
}

const isCode = (item: string | undefined): boolean =>
  item !== undefined && (item.startsWith('qr:') || item.startsWith('pass:'))

/** A code is read as a card; its key knows better. */
const methodOf = (outcome: Outcome, item: string | undefined): number =>
  outcome.method === method.card && isCode(item) ? method.qr : outcome.method

function alarmOf(record: JsonObject, context: RecordContext): DriverEvent | undefined {
  if (Number(record.major) !== atDoorway) return undefined
  const minor = Number(record.minor)
  const common = { key: keyOfRecord(record, context), at: String(record.time) }
  const alarm = minor === forced ? 'forced' : 'heldOpen'
  if (minor === forced || minor === openTooLong)
    return { type: 'doorAlarm', ...common, isCritical: true, data: { ...common, alarm } }
  return minor === closed && context.isHeldOpen
    ? { type: 'doorAlarm', ...common, isCritical: true, data: { ...common, alarm: 'heldOpen', ended: true } }
    : undefined
}

/** What a record of the controller is to the server: a passage, an alarm, or nothing that it asks for. */
export function eventOf(
  record: ReadRecord,
  context: RecordContext,
  picture?: string,
): DriverEvent | undefined {
  const employeeNo = textOf(record.employeeNoString)
  const item = employeeNo === undefined ? undefined : context.keyOf(employeeNo)
  const outcome = outcomeOf(record)
  if (!outcome) return alarmOf(record, context)
  const key = keyOfRecord(record, context)
  const at = String(record.time)
  const card = textOf(record.cardNo)
  const temperature = Number(record.currTemperature ?? 0)
  return {
    type: 'doorPassage',
    key,
    at,
    data: {
      key,
      at,
      method: methodOf(outcome, item),
      result: outcome.result,
      ...(outcome.reason !== undefined && { reason: outcome.reason }),
      direction: directionOf(record, context.direction),
      ...(item !== undefined && { item }),
      ...(card !== undefined && { card }),
      ...(record.isDecided === true && { decided: true }),
      ...(picture !== undefined && { picture }),
      ...(temperature > 0 && { temperature }),
    },
  }
}

/** Whether a record begins or ends that the door stands open; nothing where it says neither. */
export function heldOpenAfter({ major, minor }: JsonObject): boolean | undefined {
  if (Number(major) !== atDoorway) return undefined
  if (Number(minor) === openTooLong) return true
  return Number(minor) === closed ? false : undefined
}
