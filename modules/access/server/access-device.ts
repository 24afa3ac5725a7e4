import { invalidField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { device, type Device } from '#modules/devices/contract/device.ts'

/** Systems whose devices stand at doors: a lane's too, where cars pass. */
const accessSystems: ReadonlySet<string> = new Set(['security', 'lowVoltage', 'parking'])

export const isAccessDevice = ({ systemType }: Device): boolean =>
  systemType !== undefined && accessSystems.has(systemType)

/** A pump or a lift opens no door, nor does a device of another project. */
export async function requireAccessDevice(
  db: Db,
  scope: Scope,
  deviceId: Id,
  projectCode?: string,
): Promise<void> {
  const found = await requireById(db, device, scope, deviceId)
  if (!isAccessDevice(found)) throw invalidField('DeviceID', '请选择系统类型为安防、弱电或停车的设备')
  if (projectCode !== undefined && found.projectCode !== projectCode)
    throw invalidField('DeviceID', '该设备不属于门所在的项目，请重新选择')
}
