import { crudHandlers } from '#kit/server/crud.ts'
import { deviceModels, pickDeviceModels } from '../contract/device-model.ts'

export const deviceModelServer = crudHandlers(deviceModels, {
  unique: { device_model_name_live: '已有同名型号' },
  pickers: [pickDeviceModels],
})
