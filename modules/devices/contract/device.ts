import { call } from '#kit/contract/call.ts'
import { crud, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, keyRef, lines, list, lookup, ref, text } from '#kit/contract/field.ts'
import { noData, reasonField, recordIdField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { deviceState, systemType } from './choices.ts'
import {
  connectionFields,
  estateNameField,
  nameField,
  numberField,
  remarkField,
  reported,
} from './connected-fields.ts'

const { permissions } = menu.device

/**
 * What the specification calls a remote device: it is connected to a gateway, which speaks to it by a driver.
 */
export const device = entity(
  'device',
  '设备',
  { table: 'device', tenancy: 'project', title: 'name', order: ['projectCode', 'devNo'] },
  {
    projectCode: estateField(),
    estateName: estateNameField,
    devNo: numberField('设备号'),
    name: nameField('设备名称'),
    modelId: ref('型号', 'deviceModel', { required: true }),
    modelName: lookup('型号', 'modelId', 'name', { wire: 'ModelName' }),
    systemType: choice('系统类型', systemType, {
      lookup: ['modelId', 'systemType'],
      derived: true,
      hiddenIn: ['form'],
    }),
    devType: lookup('设备类型', 'modelId', 'devType'),
    driver: lookup('驱动', 'modelId', 'driver', { hiddenIn: ['table'] }),
    gatewayId: ref('所属网关', 'gateway', { required: true }),
    gateNo: lookup('网关号', 'gatewayId', 'gateNo'),
    hostNo: text('主机号', { max: 30, hiddenIn: ['table'] }),
    identity: text('标识', { max: 60, searchable: true, help: '出厂序列号或 MAC 地址' }),
    address: text('地址', { max: 60, help: '网关访问设备的地址，如 192.168.1.20:4370' }),
    /** The driver's own settings, as texts. */
    settings: lines(
      '驱动参数',
      {
        key: text('参数', { required: true, max: 40 }),
        value: text('取值', { required: true, max: 500 }),
      },
      { max: 50, hiddenIn: ['table', 'filter', 'sheet'] },
    ),
    buildCode: keyRef('楼栋', 'building', { dataDomain: 'building', wire: 'Buildcode', hiddenIn: ['table'] }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'Buildname' }),
    areaId: ref('公共区域', 'publicArea', { hiddenIn: ['table'] }),
    areaName: lookup('公共区域', 'areaId', 'name', { wire: 'AreaName' }),
    location: text('位置', { max: 100, searchable: true }),
    remark: remarkField,
    state: choice('状态', deviceState, { required: true, initial: 'normal', wire: ['Status', 'State'] }),
    ...connectionFields,
    kernelVersion: text('内核版本', { max: 20, ...reported }),
    healthScore: int('健康度', {
      required: true,
      initial: 100,
      min: 0,
      max: 100,
      immutable: true,
      hiddenIn: ['form', 'sheet'],
    }),
    /** What it should hold and does not (ACS-3). */
    unsyncedCount: int('未下发', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type Device = Row<typeof device>

export const reportedDeviceKeys = ['isOnline', 'lastBeat', 'kernelVersion', 'healthScore'] as const

const driverFilter = { driver: text('驱动', { max: 20 }) }

export const devices = crud(device, {
  path: 'RemoteDevice',
  permissions,
  filters: [
    'name',
    'devNo',
    'systemType',
    'modelId',
    'gatewayId',
    'buildCode',
    'state',
    'isOnline',
    'healthScore',
  ],
  without: reportedDeviceKeys,
  search: driverFilter,
  wireNames: {
    id: ['ID', 'Id'],
    name: ['DevName', 'Name'],
    state: ['Status', 'State'],
  },
})

export const {
  list: listDevices,
  get: getDevice,
  add: addDevice,
  edit: editDevice,
  delete: deleteDevices,
} = devices

export const pickDevices = pickerOf(device, {
  route: 'GET RemoteDevice/Pick',
  title: '选择设备',
  fields: ['id', 'projectCode', 'devNo', 'name', 'devType', 'driver', 'gatewayId', 'isOnline', 'location'],
  search: driverFilter,
})

/** A new box in the place of the old one: it gets everything that the old one was to hold. */
export const replaceDevice = call({
  route: 'POST RemoteDevice/Replace',
  title: '更换设备',
  needs: permissions.replace,
  affects: ['device', 'deviceItem'],
  input: shape({
    id: recordIdField,
    identity: text('新设备标识', { required: true, max: 60 }),
    address: text('地址', { max: 60 }),
    reason: reasonField,
  }),
  output: noData,
})

/** Sends again what the device should hold: all of it, or what is named (ACS-3, manual re-push). */
export const resendDeviceItems = call({
  route: 'POST RemoteDevice/Resend',
  title: '重新下发',
  needs: permissions.resend,
  affects: ['device', 'deviceItem'],
  input: shape({ id: recordIdField, keys: list('下发项', { max: 2000 }) }),
  output: noData,
})
