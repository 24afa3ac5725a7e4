import { crudExport } from '#kit/contract/crud-sheet.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, file, flag, int, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { openMethod, openStatus, passageDirection, personKind } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter', 'form'] } as const
const hidden = { hiddenIn: ['table', 'filter', 'form', 'sheet', 'detail'] } as const

/** What a device of a door reports: who passed or was refused, when, by what (ACS-5). Kept by month. */
export const passage = entity(
  'passage',
  '通行记录',
  { table: 'access_record', tenancy: 'project', title: 'personName', order: ['-recordTime'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('doorwayId'),
    /** By the clock of the site; when it came in, where that cannot be believed. */
    recordTime: moment('时间', { required: true }),
    isTimeDoubtful: flag('设备时间异常', {
      required: true,
      initial: false,
      wire: 'TimeDoubtful',
      hiddenIn: ['table', 'filter'],
    }),
    doorwayId: ref('门', 'doorway', {
      required: true,
      wire: ['DoorwayID', 'DoorwayId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    doorwayName: lookup('门', 'doorwayId', 'doorwayName', { wire: 'DoorName' }),
    deviceId: ref('设备', 'device', { required: true, wire: ['DeviceID', 'DeviceId'], ...hidden }),
    deviceName: lookup('设备', 'deviceId', 'name', { wire: 'DevName', hiddenIn: ['table'] }),
    openMethod: choice('开门方式', openMethod, { required: true }),
    openStatus: choice('结果', openStatus, { required: true }),
    direction: choice('方向', passageDirection, { required: true }),
    /** Nothing where the method names nobody: a button, a password. */
    personKind: choice('人员类型', personKind),
    userId: ref('住户', 'resident', { wire: 'UserID', hiddenIn: ['table', 'sheet', 'detail'] }),
    staffId: ref('员工', 'staff', { wire: 'StaffID', hiddenIn: ['table', 'sheet', 'detail'] }),
    personName: text('姓名', { max: 40, wire: 'PersonName' }),
    roomId: ref('房屋', 'room', { wire: 'RoomID', ...hidden }),
    roomPath: lookup('房屋', 'roomId', 'path', { wire: ['RoomPath', 'RoomCode'] }),
    cardNo: text('卡号', { max: 20, wire: 'CardNo' }),
    plateNo: text('车牌', { max: 12, wire: 'PlateNo' }),
    /** The credential as devices hold it. */
    itemKey: text('凭证', { max: 100, ...hidden }),
    reason: text('未开原因', { max: 100, wire: ['FailReason', 'Reason'], hiddenIn: ['filter'] }),
    temperature: decimal('体温', { scale: 1, unit: '℃', ...inDetail }),
    picture: file('抓拍', { wire: ['SnapUrl', 'Picture'], hiddenIn: ['filter', 'sheet'] }),
    pictureFault: text('抓拍未保存', { max: 60, ...inDetail, hiddenIn: ['table', 'filter', 'sheet'] }),
    recordKey: text('设备记录号', { required: true, max: 80, ...inDetail }),
    /** Records of the same within three seconds, which are the same passing. */
    mergedKeys: list('合并的记录', { ...hidden }),
    repeats: int('重复次数', { derived: true, hiddenIn: ['table', 'filter', 'sheet'] }),
  },
)

export type Passage = Row<typeof passage>

/** Of the last thirty days, unless another time is asked. */
export const passages = crud(passage, {
  path: 'DeviceRecordofaccess',
  permissions: menu.passage.permissions,
  operations: ['list', 'get'],
  filters: [
    'doorwayId',
    'recordTime',
    'openMethod',
    'openStatus',
    'direction',
    'personKind',
    'userId',
    'staffId',
  ],
  search: {
    personName: text('姓名', { max: 40, wire: 'PersonName' }),
    /** Whole: an index finds them. */
    cardNo: text('卡号', { max: 20, wire: 'CardNo' }),
    plateNo: text('车牌', { max: 12, wire: 'PlateNo' }),
  },
})

export const { list: listPassages, get: getPassage } = passages

export const exportPassages = crudExport(passages, { needs: menu.passage.permissions.exportRecords })
