import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { defineRule } from '#kit/contract/rules.ts'
import { recordIdField, shape } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { passWay } from '#modules/parking-lanes/contract/passage.ts'
import { menu } from '../module.ts'
import { cameraAuth, cameraMaker } from './choices.ts'

const reported = { immutable: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

/** It stands in the camera's address. */
const serialRule = defineRule('serial', '序列号', '字母、数字、- 与 _', serial =>
  /^[\w-]+$/.test(serial) ? undefined : '序列号只能有字母、数字、- 与 _',
)

/** What reads plates at a lane and opens its barrier, with a key of its own. */
export const parkCamera = entity(
  'parkCamera',
  '相机',
  { table: 'park_camera', tenancy: 'project', title: 'cameraName', order: ['projectCode', 'cameraName'] },
  {
    projectCode: estateField(),
    cameraName: text('名称', { required: true, max: 40, searchable: true }),
    serialNo: text('序列号', {
      required: true,
      immutable: true,
      max: 40,
      rule: serialRule,
      searchable: true,
      help: '相机机身或网页上的序列号，登记后不能修改',
    }),
    maker: choice('对接协议', cameraMaker, { required: true, initial: 'vzenith', wire: 'Maker' }),
    authMode: choice('验证方式', cameraAuth, {
      required: true,
      initial: 'signed',
      wire: 'AuthMode',
      hiddenIn: ['table', 'filter'],
    }),
    laneId: ref('车道', 'parkLane', {
      wire: ['GateID', 'GateId'],
      help: '不选则取「相机编号」与序列号相同的车道',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    laneName: lookup('车道', 'laneId', 'laneName', { wire: 'GateName' }),
    way: choice('识别方向', passWay, {
      wire: 'Way',
      help: '车道为出入口的必选',
      hiddenIn: ['table', 'filter'],
    }),
    opensBarrier: flag('控制道闸', {
      required: true,
      initial: true,
      help: '开闸指令发给它；辅助相机不选',
      hiddenIn: ['table', 'filter'],
    }),
    isOnline: flag('在线', { derived: true, wire: 'Online', hiddenIn: ['form', 'filter', 'sheet'] }),
    lastSeen: moment('最近连接', reported),
    clockDiff: int('时钟相差', {
      unit: '秒',
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet'],
    }),
    fault: text('故障', { max: 200, ...reported }),
    keyTime: moment('密钥生成时间', { immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type ParkCamera = Row<typeof parkCamera>

const { permissions } = menu.camera

export const parkCameras = crud(parkCamera, {
  path: 'ParkCamera',
  permissions,
  filters: ['laneId', 'maker', 'state'],
  without: ['lastSeen', 'clockDiff', 'fault', 'keyTime'],
})

/** A new key, returned once; the one before holds no longer. */
export const renewCameraKey = call({
  route: 'POST ParkCamera/PostKey',
  title: '更换相机密钥',
  needs: permissions.key,
  affects: ['parkCamera'],
  input: shape({ id: recordIdField }),
  output: shape({
    secret: text('密钥', { required: true, max: 80 }),
    address: text('推送地址', { required: true, max: 300, wire: 'Address' }),
  }),
})
