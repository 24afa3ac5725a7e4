import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { Id } from '#kit/domain/id.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { addDeviceModel } from '#modules/devices/contract/device-model.ts'
import { addDevice, type Device } from '#modules/devices/contract/device.ts'
import { addGateway } from '#modules/devices/contract/gateway.ts'
import { doorwayDevices, type DoorwayDevice } from '../contract/doorway-device.ts'
import { doorways, type Doorway } from '../contract/doorway.ts'
import { doorwayGroups, type DoorwayGroup } from '../contract/group.ts'

export const projectCode = 'GOLD0001'
let made = 0

/** A door as somebody enters it, with what a test says otherwise. */
export const addDoorway = (t: GoldenApp, me: CallOptions, values: Partial<Doorway> = {}): Promise<Doorway> =>
  t.call(
    doorways.add,
    {
      projectCode,
      doorwayName: `门${++made}`,
      direction: 'both',
      passageType: 'pedestrian',
      isPublic: false,
      openSeconds: 5,
      state: 'on',
      ...values,
    },
    me,
  )

export async function addDoorwayDevice(
  t: GoldenApp,
  me: CallOptions,
  values: Partial<Device> = {},
): Promise<Device> {
  const name = `设备${++made}`
  const gateway = await t.call(addGateway, { projectCode, name }, me)
  const model = await t.call(
    addDeviceModel,
    { name, systemType: 'security', devType: 'access', driver: 'simulator', state: 'on' },
    me,
  )
  return t.call(
    addDevice,
    { projectCode, name, gatewayId: gateway.id, modelId: model.id, state: 'normal', ...values },
    me,
  )
}

export const bindDevice = (
  t: GoldenApp,
  me: CallOptions,
  doorway: Doorway,
  deviceId: Id,
): Promise<DoorwayDevice> =>
  t.call(doorwayDevices.add, { projectCode, doorwayId: doorway.id, deviceId, direction: 'both' }, me)

export const addGroup = (
  t: GoldenApp,
  me: CallOptions,
  granted: readonly Doorway[],
  values: Partial<DoorwayGroup> = {},
): Promise<DoorwayGroup> =>
  t.call(
    doorwayGroups.add,
    {
      projectCode,
      groupName: `门组${++made}`,
      doorwayIds: granted.map(({ id }) => String(id)),
      scopeType: 'manual',
      state: 'on',
      ...values,
    },
    me,
  )
