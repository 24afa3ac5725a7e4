import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { noData, reasonField, recordIdsField, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { faultKind, faultLevel, faultState } from './choices.ts'

/** A fault of a gateway or of a device; the same one (kind and code) stays one while it is open (DEV-2). */
export const deviceFault = entity(
  'deviceFault',
  '设备故障',
  { table: 'device_fault', tenancy: 'project', title: 'title', order: ['-openTime'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('deviceId'),
    gatewayId: ref('网关', 'gateway', { required: true }),
    gatewayName: lookup('网关', 'gatewayId', 'name', { wire: 'GatewayName' }),
    /** 0: of the gateway itself. */
    deviceId: ref('设备', 'device', { required: true, initial: 0 }),
    deviceName: lookup('设备', 'deviceId', 'name', { wire: 'DevName' }),
    kind: choice('故障类型', faultKind, { required: true }),
    level: choice('等级', faultLevel, { required: true }),
    /** The code or name from the driver, where a device can have several faults of a kind. */
    faultCode: text('故障代码', { max: 200 }),
    title: text('故障', { required: true, max: 200, searchable: true }),
    count: int('次数', { required: true, initial: 1 }),
    openTime: moment('发生时间', { required: true }),
    lastTime: moment('最近发生'),
    closeTime: moment('恢复时间'),
    state: choice('状态', faultState, { required: true, initial: 'open' }),
    note: text('处理说明', { max: 200 }),
  },
)

export type DeviceFault = Row<typeof deviceFault>

export const deviceFaults = crud(deviceFault, {
  path: 'DeviceFault',
  permissions: menu.device.permissions,
  operations: ['list'],
  filters: ['gatewayId', 'deviceId', 'kind', 'level', 'state', 'openTime'],
})

export const { list: listDeviceFaults } = deviceFaults

/** Closed by hand, with what was done. */
export const closeDeviceFaults = call({
  route: 'POST DeviceFault/Close',
  title: '处理设备故障',
  needs: menu.device.permissions.fault,
  affects: ['deviceFault', 'device', 'gateway'],
  input: shape({ ids: recordIdsField, reason: reasonField }),
  output: noData,
})

const count = (label: string) => int(label, { required: true })

export const getDeviceHealth = call({
  route: 'GET DeviceHealth/GetSummary',
  title: '设备健康概况',
  needs: menu.device.permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: shape(
    {
      gatewayCount: count('网关数'),
      onlineGatewayCount: count('在线网关'),
      deviceCount: count('设备数'),
      onlineDeviceCount: count('在线设备'),
      faultyDeviceCount: count('有故障的设备'),
      openFaultCount: count('未恢复故障'),
      criticalFaultCount: count('紧急故障'),
      unsyncedItemCount: count('未下发'),
      failedItemCount: count('下发失败'),
      averageScore: decimal('平均健康度', { scale: 1 }),
      taskCount: count('近 7 日指令'),
      failedTaskCount: count('近 7 日失败指令'),
    },
    { entity: 'deviceFault' },
  ),
})
