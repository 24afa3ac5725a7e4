import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, int, keyRef, lookup, moment, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { passageDirection, passageType } from './choices.ts'

/** What the devices of a door say of it: shown, never stored here. */
const ofDevices = { derived: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

/** A door, a turnstile or a barrier that somebody may pass or not. */
export const doorway = entity(
  'doorway',
  '门',
  { table: 'doorway', tenancy: 'project', title: 'doorwayName', order: ['projectCode', 'doorwayCode'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table', 'sheet'] }),
    doorwayCode: text('编码', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      wire: 'DoorCode',
      help: '项目内唯一；不填则自动生成',
    }),
    doorwayName: text('名称', { required: true, max: 60, searchable: true, wire: 'DoorName' }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'Buildname' }),
    unitName: text('单元', { max: 20, wire: 'Unitname', help: '楼栋中的单元名称；不填为整栋' }),
    direction: choice('方向', passageDirection, { required: true, initial: 'both' }),
    passageType: choice('类型', passageType, { required: true, initial: 'pedestrian', wire: 'GateType' }),
    isPublic: flag('公共门', {
      required: true,
      initial: false,
      help: '住户默认可开：属于楼栋、单元的，该楼栋、单元的住户；否则项目全部住户',
    }),
    openSeconds: int('开门时长', {
      required: true,
      initial: 5,
      min: 1,
      max: 600,
      unit: '秒',
      hiddenIn: ['table', 'filter'],
    }),
    deviceCount: int('设备数', ofDevices),
    deviceNo: text('设备号', { ...ofDevices, wire: 'DeviceNo' }),
    deviceModel: text('设备型号', { ...ofDevices, wire: 'DeviceModel' }),
    /** Every device of it can be reached. */
    isOnline: flag('在线', { ...ofDevices, wire: 'Online' }),
    lastBeat: moment('最近心跳', ofDevices),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type Doorway = Row<typeof doorway>

export const doorways = crud(doorway, {
  path: 'Doorway',
  permissions: menu.doorway.permissions,
  filters: ['buildCode', 'direction', 'passageType', 'isPublic', 'state'],
  edit: { route: 'PUT Doorway/put' },
  affects: ['doorwayGroup', 'doorwayDevice'],
})

export const pickDoorways = pickerOf(doorway, {
  route: 'GET Doorway/GetPick',
  title: '选择门',
  fields: ['id', 'projectCode', 'doorwayCode', 'doorwayName', 'buildName', 'unitName', 'state'],
  search: { ids: idsFilter },
})
