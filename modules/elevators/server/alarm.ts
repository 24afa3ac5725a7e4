import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll, insert, requireById, update } from '#kit/server/table.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { device, type Device } from '#modules/devices/contract/device.ts'
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
import { alarmState, type AlarmResolution } from '../contract/choices.ts'
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
const alarmTopic = 'elevatorAlarms'

const publishAlarm = (app: App, tx: Tx, ownerId: Id): void =>
  app.live.publishOnCommit(tx, ownerId, { topic: alarmTopic }, 'elevatorAlarm')

const isOpen = sql`t.state in ${codes(alarmState, 'open', 'acknowledged')}`

/** Where somebody is trapped: in a lift, or where a controller stands that is bound to none. */
type Site = { readonly lift: Elevator } | { readonly device: Device }

const ofSite = (site: Site): RawBuilder<unknown> =>
  'lift' in site
    ? sql`t.elevator_id = ${site.lift.id}`
    : sql`t.elevator_id is null and t.device_id = ${site.device.id}`

const findOpenAlarm = async (tx: Tx, scope: Scope, site: Site): Promise<ElevatorAlarm | undefined> =>
  (await findAll(tx, elevatorAlarm, scope, {}, { where: [isOpen, ofSite(site)] }))[0]

const helpText = '请立即确认并组织救援'

function placeText(site: Site, floor: string | undefined): string {
  const at = floor === undefined ? '' : `位于 ${floor} 层，`
  if ('lift' in site) return `${at}${helpText}`
  const { location } = site.device
  return `${at}设备未绑定电梯，${location === undefined ? '未登记位置' : `位置：${location}`}，${helpText}`
}

async function callForHelp(
  { tx, scope, app }: DeviceEventContext,
  site: Site,
  { id, floor, projectCode }: Pick<ElevatorAlarm, 'id' | 'floor' | 'projectCode'>,
): Promise<void> {
  const { name } = 'lift' in site ? site.lift : site.device
  await notify(tx, app, scope.ownerId, {
    kind: trappedKind,
    to: { permission: menu.alarm.permissions.handle, project: projectCode },
    title: `电梯困人：${name}`,
    text: placeText(site, floor),
    link: `${paths.alarms}?id=${id}`,
    bizId: id,
    project: projectCode,
  })
}

/** Nobody has taken over what came after the device had recovered: other people may be inside. */
const isTrappedAgain = ({ state, deviceEndTime }: ElevatorAlarm): boolean =>
  state === 'acknowledged' && deviceEndTime !== undefined

async function repeatAlarm(
  c: DeviceEventContext,
  site: Site,
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
  await callForHelp(c, site, after)
}

const stateBeforeOf = ({ state }: Elevator) => (state === 'trapped' ? ('repair' as const) : state)

async function openAlarm(c: DeviceEventContext, site: Site, at: Moment): Promise<void> {
  const { tx, scope, event } = c
  const known = await findOpenAlarm(tx, scope, site)
  const floor = siteText(event.data, 'floor', 10)
  if (known) return repeatAlarm(c, site, known, { lastTime: at, ...(floor === undefined ? {} : { floor }) })
  const made = await insert(tx, elevatorAlarm, scope, {
    ...('lift' in site
      ? {
          projectCode: site.lift.projectCode,
          elevatorId: site.lift.id,
          stateBefore: stateBeforeOf(site.lift),
        }
      : { projectCode: site.device.projectCode, deviceId: site.device.id }),
    alarmTime: at,
    lastTime: at,
    alarmCount: 1,
    floor,
    state: 'open',
  })
  if ('lift' in site) {
    markLift(tx, scope, await update(tx, elevator, scope, site.lift.id, { state: 'trapped' }))
  }
  await callForHelp(c, site, made)
}

/** What the device says is noted; it ends nothing: a person says what became of those inside. */
async function noteEnd({ tx, scope }: DeviceEventContext, site: Site, at: Moment): Promise<void> {
  const known = await findOpenAlarm(tx, scope, site)
  if (known) {
    await update(tx, elevatorAlarm, scope, known.id, { deviceEndTime: at })
  }
}

/** Two events of one lift or device wait for each other. */
async function lockSite({ tx, scope, event }: DeviceEventContext): Promise<Site> {
  const found = await findLiftOfDevice(tx, scope.ownerId, event.deviceId)
  return found
    ? { lift: await requireById(tx, elevator, scope, found.id, { lock: true }) }
    : { device: await requireById(tx, device, scope, event.deviceId, { lock: true }) }
}

onDeviceEvent('liftAlarm', async context => {
  const { tx, scope, app, event } = context
  if (event.data.alarm !== 'trapped') return refuse('报警类型无法识别')
  const site = await lockSite(context)
  const at = fromInstant(Date.parse(event.at))
  await (event.data.ended === true ? noteEnd(context, site, at) : openAlarm(context, site, at))
  publishAlarm(app, tx, scope.ownerId)
})

/** Until it is over the alarm stays with the device that reported it. */
export async function assertNotTrapped(tx: Tx, scope: Scope, bound: Device): Promise<void> {
  if (await findOpenAlarm(tx, scope, { device: bound }))
    refuse(`设备「${bound.name}」有未解除的困人报警，请先在「困人报警」中解除，再绑定`)
}

/** Who may take the alarm of a lift changes the lift with it. */
const ofLift = (scope: Scope): Scope => ({ ...scope, domain: unrestrictedDomain })

const requireOpen = async (tx: Tx, scope: Scope, id: Id): Promise<ElevatorAlarm> => {
  const { elevatorId } = await requireById(tx, elevatorAlarm, scope, id)
  // The lift first: an alarm that comes in locks it before its own row.
  if (elevatorId !== undefined) {
    await requireById(tx, elevator, ofLift(scope), elevatorId, { lock: true })
  }
  const alarm = await requireById(tx, elevatorAlarm, scope, id, { lock: true })
  return alarm.state === 'resolved' ? refuse('该报警已解除') : alarm
}

/** Where somebody was inside the lift is looked at before it runs again. */
async function endTrapped(
  tx: Tx,
  scope: Scope,
  { elevatorId, stateBefore = 'repair' }: ElevatorAlarm,
  { resolution, note }: { readonly resolution: AlarmResolution; readonly note: string },
): Promise<void> {
  if (elevatorId === undefined) return
  const state = resolution === 'rescued' ? 'repair' : stateBefore
  const lift = await update(tx, elevator, ofLift(scope), elevatorId, { state }, { reason: note })
  markLift(tx, scope, lift)
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
    await endTrapped(tx, scope, alarm, { resolution, note })
    await retractNotifications([tx, app, scope], trappedKind, [id])
    publishAlarm(app, tx, scope.ownerId)
  }),
]
