import { call } from '#kit/contract/call.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { noData, recordIdField, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { eventState } from './choices.ts'

/** What happened on site, each once and in order (ADR 21). Kept by month. */
export const deviceEvent = entity(
  'deviceEvent',
  '设备事件',
  { table: 'device_event', tenancy: 'project', title: 'type', order: ['-id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('deviceId'),
    gatewayId: ref('网关', 'gateway', { required: true }),
    gatewayName: lookup('网关', 'gatewayId', 'name', { wire: 'GatewayName', searchable: true }),
    /** 0: of the gateway itself. */
    deviceId: ref('设备', 'device', { required: true, initial: 0 }),
    deviceName: lookup('设备', 'deviceId', 'name', { wire: 'DevName', searchable: true }),
    seq: int('序号', { required: true, max: Number.MAX_SAFE_INTEGER }),
    type: text('类型', { required: true, max: 40, searchable: true }),
    /** What the site called a device that is not (any more) one of the gateway's. */
    reportedDevice: text('上报设备', { max: 60 }),
    /** The site's clock; when the event came in, where that cannot be believed. */
    eventTime: moment('发生时间', { required: true }),
    isTimeDoubtful: flag('设备时间异常', { required: true, initial: false, wire: 'TimeDoubtful' }),
    /** What the device sent, where it cannot be its time. */
    deviceTime: text('设备时间', { max: 40 }),
    /** JSON. */
    content: text('内容', { max: 4000 }),
    state: choice('处理状态', eventState, { required: true, initial: 'handled' }),
    reason: text('失败原因', { max: 500 }),
  },
)

export type DeviceEventRow = Row<typeof deviceEvent>

/** Those that came in the last thirty days, unless another time is asked. */
export const deviceEvents = crud(deviceEvent, {
  path: 'DeviceEvent',
  permissions: menu.device.permissions,
  operations: ['list'],
  filters: ['gatewayId', 'deviceId', 'state', 'eventTime', 'isTimeDoubtful'],
  search: {
    /** The code of a type, or a part of its name. */
    type: text('类型', { max: 40 }),
    createTimeFrom: moment('接收时间起'),
    createTimeTo: moment('接收时间止'),
  },
})

export const { list: listDeviceEvents } = deviceEvents

export const exportDeviceEvents = crudExport(deviceEvents, { needs: menu.device.permissions.exportEvents })

/** Handles an event again whose handling failed. */
export const retryDeviceEvent = call({
  route: 'POST DeviceEvent/Retry',
  title: '重新处理事件',
  needs: menu.device.permissions.event,
  affects: ['deviceEvent'],
  input: shape({ id: recordIdField }),
  output: noData,
})
