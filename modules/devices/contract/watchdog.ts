import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { buildingThrough, enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { watchdogAction } from './choices.ts'

const counted = { immutable: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

/** The driver whose devices can restart another computer: a relay in its power line, a management card. */
export const watchdogDriver = 'watchdog'

/**
 * Watches the beats of a gateway, or of a device, and restarts what is silent. A gateway that still answers
 * gets the command itself; one that does not is restarted by the watchdog device, over that one's gateway.
 */
export const watchdog = entity(
  'watchdog',
  '看门狗',
  { table: 'watchdog', tenancy: 'project', title: 'name', order: ['name'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('targetDeviceId'),
    name: text('名称', { required: true, max: 60, searchable: true, wire: ['DevName', 'Name'] }),
    deviceId: ref('看门狗设备', 'device', { required: true, help: '驱动为 watchdog 的设备' }),
    deviceName: lookup('看门狗设备', 'deviceId', 'name', { wire: 'DeviceName' }),
    targetGatewayId: ref('看护的网关', 'gateway', { required: true }),
    targetGatewayName: lookup('看护的网关', 'targetGatewayId', 'name', { wire: 'TargetGatewayName' }),
    targetDeviceId: ref('看护的设备', 'device', { help: '不选即看护网关本身' }),
    targetDeviceName: lookup('看护的设备', 'targetDeviceId', 'name', { wire: 'TargetDeviceName' }),
    checkSeconds: int('检查间隔', { required: true, initial: 60, min: 15, max: 3600, unit: '秒' }),
    missLimit: int('允许缺失次数', { required: true, initial: 3, min: 1, max: 100 }),
    action: choice('恢复方式', watchdogAction, { required: true, initial: 'restartService' }),
    serviceName: text('服务名', { max: 60, help: '恢复方式为重启服务时必填' }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    missCount: int('已缺失次数', { required: true, initial: 0, ...counted }),
    checkTime: moment('检查时间', counted),
    restartTime: moment('最近重启', counted),
    restartCount: int('重启次数', { required: true, initial: 0, ...counted }),
    lastMessage: text('最近情况', { max: 200, ...counted }),
  },
)

export type Watchdog = Row<typeof watchdog>

export const watchdogs = crud(watchdog, {
  path: 'Watchdog',
  permissions: menu.watchdog.permissions,
  filters: ['name', 'targetGatewayId', 'action', 'state'],
  without: ['missCount', 'checkTime', 'restartTime', 'restartCount', 'lastMessage'],
  wireNames: { name: ['DevName', 'Name'] },
})

export const {
  list: listWatchdogs,
  get: getWatchdog,
  add: addWatchdog,
  edit: editWatchdog,
  delete: deleteWatchdogs,
} = watchdogs
