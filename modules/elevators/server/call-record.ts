import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, dayOfInstant, startOfDay } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { findCredentialHolders, keyOfCredential } from '#modules/access/server/public.ts'
import {
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

/** Whose the credential is, where it is a valid one of the project. */
async function findHolder(
  tx: Tx,
  ownerId: Id,
  projectCode: string,
  time: string,
  key: string | undefined,
): Promise<CallHolder> {
  if (key === undefined) return {}
  const today = dayOfInstant(Date.parse(time))
  const [holder] = await findCredentialHolders(tx, { ownerId, projectCode, today, keys: [key] })
  return holder ?? {}
}

/** `card:1234` as the device names it, or by the number of a card alone. */
function credentialOf(data: DeviceEventContext['event']['data']): string | undefined {
  const card = siteText(data, 'card', 40)
  return siteText(data, 'item', 60) ?? (card === undefined ? undefined : keyOfCredential('card', card))
}

/** Nothing where it is none of the codes. */
const methodOf = (code: number | undefined): number | undefined =>
  code !== undefined && keyOf(callMethod, code) !== undefined ? code : undefined

/** Of a visitor's code the last digits: who has all of it calls the lift. */
function shownNumber(data: DeviceEventContext['event']['data']): string | undefined {
  const card = siteText(data, 'card', 40)
  const isSecret = isSecretKey(credentialOf(data)) || siteNumber(data, 'method') === codeOf(callMethod, 'qr')
  return card !== undefined && isSecret ? maskSecret(card) : card
}

/** A call as the lift's controller decided it; one that was sent before is not stored again. */
onDeviceEvent('liftCall', async ({ tx, scope, event }: DeviceEventContext) => {
  const { deviceId, data, at } = event
  const { ownerId, time } = scope
  const lift = await findLiftOfDevice(tx, ownerId, deviceId)
  if (!lift) return refuse('设备未绑定电梯，请先在「电梯管理」绑定')
  const recordKey = siteText(data, 'key', 60)
  const { userId, staffId } = await findHolder(tx, ownerId, lift.projectCode, time, credentialOf(data))
  const since = new Date(Date.parse(time) - repeatDays * 86_400_000)
  await tx.execute(sql`
    insert into elevator_call (
      owner_id, project_code, elevator_id, device_id, record_key, call_time, user_id, staff_id, card_no,
      from_floor, to_floor, method, result, reason, create_time, update_time
    )
    select ${ownerId}::bigint, ${lift.projectCode}::text, ${lift.id}::bigint, ${deviceId}::bigint,
      ${recordKey}::text, ${at}::timestamptz, ${userId}::bigint, ${staffId}::bigint,
      ${shownNumber(data)}::text, ${siteText(data, 'from', 10)}::text,
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
