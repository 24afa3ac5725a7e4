import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, flag, keyRef, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

const reported = { derived: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

export const stationKind = choiceTable('IntercomKind', '类型', {
  perimeter: [10, '围墙机'],
  unit: [20, '单元门口机'],
  home: [30, '室内机'],
  centre: [40, '管理机'],
})

/** A station of the visible intercom: a device with the number by which others call it. */
export const intercom = entity(
  'intercom',
  '可视对讲设备',
  { table: 'intercom', tenancy: 'project', title: 'deviceName', order: ['projectCode', 'callNo'] },
  {
    projectCode: estateField(),
    deviceId: ref('设备', 'device', {
      required: true,
      immutable: true,
      wire: ['DeviceID', 'DeviceId'],
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    deviceName: lookup('设备名称', 'deviceId', 'name', { wire: 'DevName', searchable: true }),
    deviceNo: lookup('设备号', 'deviceId', 'devNo', { wire: 'DeviceNo' }),
    stationKind: choice('类型', stationKind, { required: true, initial: 'unit', wire: 'Kind' }),
    callNo: text('呼叫号', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      searchable: true,
      help: '其他设备呼叫它的号码，项目内唯一',
    }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'Buildname' }),
    unitName: text('单元', { max: 20, wire: 'Unitname' }),
    roomId: ref('房间', 'room', { wire: 'RoomID', hiddenIn: ['table', 'filter', 'sheet', 'detail'] }),
    roomPath: lookup('房间', 'roomId', 'path', { wire: 'RoomPath' }),
    doorwayId: ref('所开的门', 'doorway', {
      wire: ['DoorwayID', 'DoorwayId'],
      hiddenIn: ['table', 'sheet', 'detail'],
      help: '接听后打开的门',
    }),
    doorwayName: lookup('所开的门', 'doorwayId', 'doorwayName', { wire: 'DoorName' }),
    deviceModel: text('设备型号', { ...reported, wire: 'DeviceModel' }),
    isOnline: flag('在线', { ...reported, wire: 'Online' }),
    lastBeat: moment('最近心跳', reported),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type Intercom = Row<typeof intercom>

export const intercoms = crud(intercom, {
  path: 'VisibleIntertalk',
  permissions: menu.intercom.permissions,
  filters: ['stationKind', 'buildCode', 'doorwayId', 'state'],
})
