import { call } from '#kit/contract/call.ts'
import { crud, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, list, moment, text } from '#kit/contract/field.ts'
import { noData, reasonField, recordIdField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { gatewayState } from './choices.ts'
import {
  connectionFields,
  estateNameField,
  nameField,
  numberField,
  remarkField,
  reported,
} from './connected-fields.ts'

const { permissions } = menu.gateway
const inDetail = { immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const

/** 2^53: byte counts of a site's disk. */
const maxBytes = Number.MAX_SAFE_INTEGER

/** A computer on site that runs the gateway program and drives what is connected to it. */
export const gateway = entity(
  'gateway',
  '网关',
  { table: 'gateway', tenancy: 'project', title: 'name', order: ['projectCode', 'gateNo'] },
  {
    projectCode: estateField(),
    estateName: estateNameField,
    gateNo: numberField('网关号'),
    name: nameField('网关名称'),
    location: text('位置', { max: 100 }),
    remark: remarkField,
    state: choice('状态', gatewayState, { required: true, initial: 'unpaired', immutable: true }),
    ...connectionFields,
    connectTime: moment('连接时间', inDetail),
    address: text('地址', { max: 60, ...reported }),
    hostName: text('主机名', { max: 100, ...reported }),
    platform: text('操作系统', { max: 60, ...inDetail }),
    agentVersion: text('程序版本', { max: 20, ...reported }),
    /** Site minus server. */
    clockOffset: int('时钟偏差', { unit: '毫秒', min: -maxBytes, max: maxBytes, ...inDetail }),
    bufferedEvents: int('待上传事件', { ...inDetail }),
    freeBytes: int('磁盘剩余', { unit: 'B', max: maxBytes, ...inDetail }),
    /** What the local list of the site allows, and the drivers that are there. */
    allowed: list('允许的指令', { max: 40, ...inDetail }),
    drivers: list('驱动', { max: 100, ...inDetail }),
    healthScore: int('健康度', { required: true, initial: 100, min: 0, max: 100, ...reported }),
    keyId: text('密钥指纹', { max: 64, ...inDetail }),
    pairTime: moment('配对时间', inDetail),
    pairIp: text('配对地址', { max: 60, ...inDetail }),
    revokeTime: moment('吊销时间', inDetail),
    revokeReason: text('吊销原因', { max: 200, ...inDetail }),
    deviceCount: int('设备数', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
  },
)

export type Gateway = Row<typeof gateway>

export const reportedGatewayKeys = [
  'state',
  'isOnline',
  'lastBeat',
  'connectTime',
  'address',
  'hostName',
  'platform',
  'agentVersion',
  'clockOffset',
  'bufferedEvents',
  'freeBytes',
  'allowed',
  'drivers',
  'healthScore',
  'keyId',
  'pairTime',
  'pairIp',
  'revokeTime',
  'revokeReason',
] as const

/** Deleted only when no device is connected to it; its key goes with it. */
export const gateways = crud(gateway, {
  path: 'Gateway',
  permissions,
  filters: ['name', 'gateNo', 'state', 'isOnline'],
  without: reportedGatewayKeys,
  wireNames: { name: ['DevName', 'Name'] },
})

export const {
  list: listGateways,
  get: getGateway,
  add: addGateway,
  edit: editGateway,
  delete: deleteGateways,
} = gateways

export const pickGateways = pickerOf(gateway, {
  route: 'GET Gateway/Pick',
  title: '选择网关',
  fields: ['id', 'projectCode', 'gateNo', 'name', 'isOnline', 'state'],
})

/** Ten minutes, one use. A new code ends the one before it; pairing again ends the key that was. */
export const createPairingCode = call({
  route: 'POST Gateway/CreatePairingCode',
  title: '生成配对码',
  needs: permissions.pair,
  perMinute: 20,
  affects: ['gateway'],
  input: shape({ id: recordIdField }),
  output: shape({
    code: text('配对码', { required: true }),
    expireTime: moment('有效期至', { required: true }),
  }),
})

/** Deletes its key: the connection is cut at once, and the site must be paired again. */
export const revokeGateway = call({
  route: 'POST Gateway/Revoke',
  title: '吊销网关',
  needs: permissions.revoke,
  affects: ['gateway'],
  input: shape({ id: recordIdField, reason: reasonField }),
  output: noData,
})
