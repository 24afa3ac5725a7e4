import { crudHandlers } from '#kit/server/crud.ts'
import { patrolDevices } from '../contract/device.ts'

export const deviceServer = crudHandlers(patrolDevices, {
  unique: { patrol_device_no_live: '已有此编号的设备，请更换' },
})
