import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { code } from '#kit/server/sql.ts'
import { sql } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { planChanged } from '#modules/access/server/sync/jobs.ts'
import { itemAction } from '#modules/devices/contract/choices.ts'
import { addDeviceModel } from '#modules/devices/contract/device-model.ts'
import { addDevice, type Device } from '#modules/devices/contract/device.ts'
import { addGateway } from '#modules/devices/contract/gateway.ts'
import { runEventHandlers } from '#modules/devices/server/event-handler.ts'
import { bindElevatorDevice, elevators, type Elevator } from '../contract/elevator.ts'

export const projectCode = 'GOLD0001'
let made = 0

export const addLift = (t: GoldenApp, me: CallOptions, values: Partial<Elevator> = {}): Promise<Elevator> =>
  t.call(
    elevators.add,
    { projectCode, name: `电梯${++made}`, floors: '1~20', maintainCycle: 15, ...values },
    me,
  )

export async function addLiftDevice(
  t: GoldenApp,
  me: CallOptions,
  systemType: 'elevator' | 'security' = 'elevator',
): Promise<Device> {
  const name = `梯控${++made}`
  const gateway = await t.call(addGateway, { projectCode, name }, me)
  const model = await t.call(
    addDeviceModel,
    { name, systemType, devType: 'lift', driver: 'lift', state: 'on' },
    me,
  )
  return t.call(
    addDevice,
    { projectCode, name, gatewayId: gateway.id, modelId: model.id, state: 'normal' },
    me,
  )
}

/** A lift with a controller of its own. */
export async function boundLift(t: GoldenApp, me: CallOptions, values: Partial<Elevator> = {}) {
  const lift = await addLift(t, me, values)
  const device = await addLiftDevice(t, me)
  await t.call(bindElevatorDevice, { id: lift.id, deviceId: device.id }, me)
  return { lift, device }
}

interface Wanted {
  readonly itemKey: string
  readonly runData: Readonly<Record<string, unknown>>
}

/** What a device is to hold now, once everything that is marked has been computed. */
export async function wantedOf(
  t: GoldenApp,
  deviceId: Id,
  app = t.app,
): Promise<Map<string, Wanted['runData']>> {
  await planChanged(app)
  const rows = await t.database.reader(t.ownerId).rows<Wanted>(sql`
    select item_key, run_data
    from device_item
    where owner_id = ${t.ownerId} and device_id = ${deviceId} and action = ${code(itemAction, 'put')}
  `)
  return new Map(rows.map(row => [row.itemKey, row.runData]))
}

/** What a device sends, as it is handled when it comes in. */
export const sendEvent = (
  t: GoldenApp,
  deviceId: Id,
  type: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const time = new Date(t.app.clock()).toISOString()
  return t.database.tx(t.ownerId, tx =>
    runEventHandlers({
      tx,
      app: t.app,
      scope: systemScope(t.ownerId, time),
      event: { gatewayId: 0, deviceId, projectCode, type, at: time, isTimeDoubtful: false, data },
    }),
  )
}

export const nowOf = (t: GoldenApp) => fromInstant(t.app.clock())
