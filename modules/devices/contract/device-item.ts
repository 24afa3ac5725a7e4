import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { itemAction, itemState } from './choices.ts'

/** What a device has to hold: a card, a face, a plate. One row per device and key (ACS-3). */
export const deviceItem = entity(
  'deviceItem',
  '下发项',
  { table: 'device_item', tenancy: 'project', title: 'itemKey', order: ['deviceId', 'itemKey'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('deviceId'),
    deviceId: ref('设备', 'device', { required: true }),
    deviceName: lookup('设备', 'deviceId', 'name', { wire: 'DevName' }),
    itemKey: text('下发项', { required: true, max: 100, searchable: true }),
    itemVersion: int('版本号', { required: true, hiddenIn: ['table', 'filter'] }),
    action: choice('下发方式', itemAction, { required: true }),
    state: choice('状态', itemState, { required: true }),
    reason: text('失败原因', { max: 500 }),
    attempts: int('失败次数', { required: true, initial: 0 }),
    nextTime: moment('下次下发', { required: true, hiddenIn: ['filter'] }),
    reportedVersion: int('设备版本号', { hiddenIn: ['table', 'filter'] }),
    syncTime: moment('同步时间'),
  },
)

export type DeviceItem = Row<typeof deviceItem>

export const deviceItems = crud(deviceItem, {
  path: 'DeviceItem',
  permissions: menu.device.permissions,
  operations: ['list'],
  filters: ['deviceId', 'action', 'state'],
  /** What is not there yet, or not gone yet. */
  search: { isUnsynced: flag('未同步') },
})

export const { list: listDeviceItems } = deviceItems
