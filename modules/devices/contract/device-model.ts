import { crud, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { systemType } from './choices.ts'

/** What a company's devices are, and which driver of the gateway program speaks to them. */
export const deviceModel = entity(
  'deviceModel',
  '设备型号',
  { table: 'device_model', tenancy: 'company', title: 'name', order: ['systemType', 'name'] },
  {
    name: text('型号名称', { required: true, max: 60, searchable: true, wire: ['TypeName', 'Name'] }),
    systemType: choice('系统类型', systemType, { required: true }),
    devType: text('类型代码', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      searchable: true,
      help: '如 access 门禁、lock 门锁、intercom 可视对讲、lift 电梯',
    }),
    driver: text('驱动', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      help: '网关程序中的驱动名，如 simulator',
    }),
    maker: text('厂家', { max: 60, searchable: true }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type DeviceModel = Row<typeof deviceModel>

export const deviceModels = crud(deviceModel, {
  path: 'DeviceModel',
  permissions: menu.model.permissions,
  filters: ['name', 'systemType', 'driver', 'state'],
  wireNames: { name: ['TypeName', 'Name'] },
})

export const {
  list: listDeviceModels,
  get: getDeviceModel,
  add: addDeviceModel,
  edit: editDeviceModel,
  delete: deleteDeviceModels,
} = deviceModels

export const pickDeviceModels = pickerOf(deviceModel, {
  route: 'GET DeviceModel/Pick',
  title: '选择设备型号',
  fields: ['id', 'name', 'systemType', 'devType', 'driver', 'state'],
})
