import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll, insert, requireById, update } from '#kit/server/table.ts'
import type { Scope } from '#kit/server/scope.ts'
import { onDeviceEvent, type DeviceEventContext } from '#modules/devices/server/public.ts'
import { defineNotificationKind, notify, retractNotifications } from '#modules/system/server/public.ts'
import {
  acknowledgeAlarm,
  elevatorAlarm,
  elevatorAlarms,
  exportElevatorAlarms,
  listOpenAlarms,
  resolveAlarm,
  type ElevatorAlarm,
} from '../contract/alarm.ts'
import { alarmState } from '../contract/choices.ts'
import { elevator, type Elevator } from '../contract/elevator.ts'
import { menu, paths } from '../module.ts'
import { findLiftOfDevice, markLift } from './elevator.ts'
import { siteText } from './site-data.ts'

const trappedKind = defineNotificationKind({
  key: 'elevators.trapped',
  label: '电梯困人报警',
  group: 'notice',
  level: 'important',
  // It rings at any hour, and nobody switches it off.
  mandatory: true,
})

/** Every open browser of the company asks again; who may not see alarms gets none. */
export const alarmTopic = 'elevatorAlarms'

const publishAlarm = (app: App, tx: Tx, ownerId: Id): void =>
  app.live.publishOnCommit(tx, ownerId, { topic: alarmTopic }, 'elevatorAlarm')

const isOpen = sql`t.state in ${codes(alarmState, 'open', 'acknowledged')}`

const findOpenAlarm = async (tx: Tx, scope: Scope, elevatorId: Id): Promise<ElevatorAlarm | undefined> =>
  (await findAll(tx, elevatorAlarm, scope, {}, { where: [isOpen, sql`t.elevator_id = ${elevatorId}`] }))[0]

async function callForHelp(
  { tx, scope, app }: DeviceEventContext,
  lift: Elevator,
  { id, floor }: Pick<ElevatorAlarm, 'id' | 'floor'>,
): Promise<void> {
  await notify(tx, app, scope.ownerId, {
    kind: trappedKind,
    to: { permission: menu.alarm.permissions.handle, project: lift.projectCode },
    title: `电梯困人：${lift.name}`,
    text: floor === undefined ? '请立即确认并组织救援' : `位于 ${floor} 层，请立即确认并组织救援`,
    link: `${paths.alarms}?id=${id}`,
    bizId: id,
    project: lift.projectCode,
  })
}

/** Nobody has taken over what came after the device had recovered: other people may be inside. */
const isTrappedAgain = ({ state, deviceEndTime }: ElevatorAlarm): boolean =>
  state === 'acknowledged' && deviceEndTime !== undefined

async function repeatAlarm(
  c: DeviceEventContext,
  lift: Elevator,
  known: ElevatorAlarm,
  repeated: Pick<ElevatorAlarm, 'lastTime' | 'floor'>,
): Promise<void> {
  const { tx, scope, app } = c
  const isAgain = isTrappedAgain(known)
  const after = await update(tx, elevatorAlarm, scope, known.id, {
    ...repeated,
    alarmCount: known.alarmCount + 1,
    deviceEndTime: undefined,
    ...(isAgain ? { state: 'open' as const, acknowledgedBy: undefined, acknowledgedTime: undefined } : {}),
  })
  if (!isAgain) return
  await retractNotifications([tx, app, scope], trappedKind, [known.id])
  await callForHelp(c, lift, after)
}

async function openAlarm(c: DeviceEventContext, lift: Elevator, at: Moment): Promise<void> {
  const { tx, scope, event } = c
  const known = await findOpenAlarm(tx, scope, lift.id)
  const floor = siteText(event.data, 'floor', 10)
  if (known) return repeatAlarm(c, lift, known, { lastTime: at, ...(floor === undefined ? {} : { floor }) })
  const made = await insert(tx, elevatorAlarm, scope, {
    projectCode: lift.projectCode,
    elevatorId: lift.id,
    alarmTime: at,
    lastTime: at,
    alarmCount: 1,
    floor,
    stateBefore: lift.state === 'trapped' ? 'repair' : lift.state,
    state: 'open',
  })
  markLift(tx, scope, await update(tx, elevator, scope, lift.id, { state: 'trapped' }))
  await callForHelp(c, lift, made)
}

/** What the device says is noted; it ends nothing: a person says what became of those inside. */
async function noteEnd({ tx, scope }: DeviceEventContext, lift: Elevator, at: Moment): Promise<void> {
  const known = await findOpenAlarm(tx, scope, lift.id)
  if (known) {
    await update(tx, elevatorAlarm, scope, known.id, { deviceEndTime: at })
  }
}

onDeviceEvent('liftAlarm', async context => {
  const { tx, scope, app, event } = context
  if (event.data.alarm !== 'trapped') return refuse('报警类型无法识别')
  const found = await findLiftOfDevice(tx, scope.ownerId, event.deviceId)
  if (!found) return refuse('设备未绑定电梯，请先在「电梯管理」绑定')
  const lift = await requireById(tx, elevator, scope, found.id, { lock: true })
  const at = fromInstant(Date.parse(event.at))
  await (event.data.ended === true ? noteEnd(context, lift, at) : openAlarm(context, lift, at))
  publishAlarm(app, tx, scope.ownerId)
})

const requireOpen = async (tx: Tx, scope: Scope, id: Id): Promise<ElevatorAlarm> => {
  const { elevatorId } = await requireById(tx, elevatorAlarm, scope, id)
  // The lift first: an alarm that comes in locks it before its own row.
  await requireById(tx, elevator, scope, elevatorId, { lock: true })
  const alarm = await requireById(tx, elevatorAlarm, scope, id, { lock: true })
  return alarm.state === 'resolved' ? refuse('该报警已解除') : alarm
}

export const alarmServer = crudHandlers(elevatorAlarms, { export: exportElevatorAlarms })

export const alarmHandlers = [
  reads(listOpenAlarms, (_, { db, scope }) => findAll(db, elevatorAlarm, scope, {}, { where: [isOpen] })),
  writes(acknowledgeAlarm, async ({ id }, { tx, scope, app, now }) => {
    const alarm = await requireOpen(tx, scope, id)
    if (alarm.state !== 'open')
      refuse(`该报警已由 ${alarm.acknowledgedBy ?? '他人'} 确认，${labelOf(alarmState, alarm.state)}`)
    await update(tx, elevatorAlarm, scope, id, {
      state: 'acknowledged',
      acknowledgedBy: scope.name,
      acknowledgedTime: now,
    })
    publishAlarm(app, tx, scope.ownerId)
  }),
  writes(resolveAlarm, async ({ id, resolution, note }, { tx, scope, app, now }) => {
    const alarm = await requireOpen(tx, scope, id)
    if (alarm.state === 'open') refuse('请先确认报警，再填写处理结果')
    await update(tx, elevatorAlarm, scope, id, {
      state: 'resolved',
      resolution,
      resolveNote: note,
      resolvedBy: scope.name,
      resolvedTime: now,
    })
    // Where somebody was inside the lift is looked at before it runs again.
    const state = resolution === 'rescued' ? 'repair' : (alarm.stateBefore ?? 'repair')
    markLift(tx, scope, await update(tx, elevator, scope, alarm.elevatorId, { state }, { reason: note }))
    await retractNotifications([tx, app, scope], trappedKind, [id])
    publishAlarm(app, tx, scope.ownerId)
  }),
]
