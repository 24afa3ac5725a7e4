import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, dayOfInstant, startOfDay } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import {
  findCredentialHolders,
  keyOfCredential,
  recogniseCredentials,
  type RecognisedCredential,
} from '#modules/access/server/public.ts'
import {
  hasCodeForm,
  isSecretKey,
  maskSecret,
  onDeviceEvent,
  type DeviceEventContext,
} from '#modules/devices/server/public.ts'
import { elevatorCalls, exportElevatorCalls } from '../contract/call-record.ts'
import { callMethod, callResult } from '../contract/choices.ts'
import { findLiftOfDevice } from './elevator.ts'
import { siteNumber, siteText } from './site-data.ts'

const defaultDays = 30
/** A device that sends its records again does so within this time. */
const repeatDays = 35

export const callServer = crudHandlers(elevatorCalls, {
  export: exportElevatorCalls,
  // Months that are not asked for are not read: a call is stored in the month in which it came in.
  filter: ({ callTimeFrom }, { today }) => [
    sql`t.create_time >= ${callTimeFrom ?? addDaysToMoment(startOfDay(today), -defaultDays)}::timestamptz`,
  ],
})

interface CallHolder {
  readonly userId?: Id
  readonly staffId?: Id
}

interface CallQuery {
  readonly ownerId: Id
  readonly projectCode: string
  readonly today: Day
}

/** Whose the credential is, where it is a valid one of the project. */
async function findHolder(tx: Tx, query: CallQuery, key: string | undefined): Promise<CallHolder> {
  if (key === undefined) return {}
  const [holder] = await findCredentialHolders(tx, { ...query, keys: [key] })
  return holder ?? {}
}

/** What it is in the project: a controller takes a code that it does not have for the number of a card. */
async function recognise(
  tx: Tx,
  query: CallQuery,
  key: string | undefined,
): Promise<Partial<RecognisedCredential>> {
  if (key === undefined) return {}
  return (await recogniseCredentials(tx, query, [key])).get(key) ?? {}
}

/** `card:1234` as the device names it, or by the number of a card alone. */
function credentialOf(data: DeviceEventContext['event']['data']): string | undefined {
  const card = siteText(data, 'card', 40)
  return siteText(data, 'item', 60) ?? (card === undefined ? undefined : keyOfCredential('card', card))
}

/** Nothing where it is none of the codes. */
const methodOf = (code: number | undefined): number | undefined =>
  code !== undefined && keyOf(callMethod, code) !== undefined ? code : undefined

/** Of a code the last digits, and of what may be one of another project: who has all of it calls the lift. */
function shownNumber(
  data: DeviceEventContext['event']['data'],
  { key, holder }: Partial<RecognisedCredential>,
): string | undefined {
  const card = siteText(data, 'card', 40)
  const isSecret =
    isSecretKey(key) ||
    siteNumber(data, 'method') === codeOf(callMethod, 'qr') ||
    (holder === undefined && hasCodeForm(card))
  return card !== undefined && isSecret ? maskSecret(card) : card
}

/** Whose code it is or was, of neither a resident nor the staff: the key says whose for good (VIS-2). */
const visitorOf = ({ key, holder }: Partial<RecognisedCredential>): string | undefined =>
  key?.startsWith(keyOfCredential('qr', '')) === true ? holder?.name : undefined

/** A call as the lift's controller decided it; one that was sent before is not stored again. */
onDeviceEvent('liftCall', async ({ tx, scope, event }: DeviceEventContext) => {
  const { deviceId, data, at } = event
  const { ownerId, time } = scope
  const lift = await findLiftOfDevice(tx, ownerId, deviceId)
  if (!lift) return refuse('设备未绑定电梯，请先在「电梯管理」绑定')
  const recordKey = siteText(data, 'key', 60)
  const query = { ownerId, projectCode: lift.projectCode, today: dayOfInstant(Date.parse(time)) }
  const credential = await recognise(tx, query, credentialOf(data))
  const { userId, staffId } = await findHolder(tx, query, credential.key)
  const visitorName = visitorOf(credential)
  const since = new Date(Date.parse(time) - repeatDays * 86_400_000)
  await tx.execute(sql`
    insert into elevator_call (
      owner_id, project_code, elevator_id, device_id, record_key, call_time, user_id, staff_id, visitor_name,
      run_item_key, card_no,
      from_floor, to_floor, method, result, reason, create_time, update_time
    )
    select ${ownerId}::bigint, ${lift.projectCode}::text, ${lift.id}::bigint, ${deviceId}::bigint,
      ${recordKey}::text, ${at}::timestamptz, ${userId}::bigint, ${staffId}::bigint,
      ${visitorName ?? null}::text, ${visitorName === undefined ? null : credential.key}::text,
      ${shownNumber(data, credential)}::text, ${siteText(data, 'from', 10)}::text,
      ${siteText(data, 'to', 10)}::text,
      ${methodOf(siteNumber(data, 'method'))}::smallint,
      ${codeOf(callResult, data.result === 1 ? 'done' : 'failed')}::smallint,
      ${siteText(data, 'reason', 200)}::text, ${time}::timestamptz, ${time}::timestamptz
    where not exists (
      select 1
      from elevator_call k
      where k.owner_id = ${ownerId}
        and k.device_id = ${deviceId}
        and k.record_key = ${recordKey}::text
        and k.create_time >= ${since}::timestamptz
    )
    returning id
  `)
})
