import { day, text, type ValueOf } from '#kit/contract/field.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, imports } from '#kit/contract/transfer.ts'
import { rules } from '#kit/contract/rules.ts'
import { loosely } from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { listRooms, room } from './room.ts'
import { duplicateMode } from './words.ts'

const f = room.fields

/**
 * What a line says. Only the three parts of the natural key must stand in it (BASE-1); a new room also needs
 * its floor.
 */
const line = {
  estateName: text('项目', { max: 60, help: '与所选项目一致；可以不填' }),
  ...loosely({
    code: f.code,
    floorNum: f.floorNum,
    roomType: f.roomType,
    buildArea: f.buildArea,
    innerArea: f.innerArea,
    shareArea: f.shareArea,
    chargeArea: f.chargeArea,
    feeRatio: f.feeRatio,
    layout: f.layout,
    orientation: f.orientation,
    roomState: f.roomState,
    useType: f.useType,
    deliverDate: f.deliverDate,
    checkinDate: f.checkinDate,
    decorateBegin: f.decorateBegin,
    decorateEnd: f.decorateEnd,
    ownerCertNo: f.ownerCertNo,
    brand: f.brand,
    industry: f.industry,
    remark: f.remark,
    state: f.state,
  }),
  buildCode: f.buildCode,
  unitName: f.unitName,
  roomNo: f.roomNo,
  newRoomNo: text('新房号', { max: 20, help: '只在「批量改房号」时填写' }),
  userName: text('住户姓名', {
    max: 40,
    help: '只在「追加住户」时填写；手机号已登记的可以不填',
    synonyms: ['业主姓名', '姓名'],
  }),
  userMobile: text('住户手机号', {
    max: 20,
    rule: rules.mobile,
    help: '只在「追加住户」时填写',
    synonyms: ['业主手机号', '手机号', '手机', '联系电话'],
  }),
  userRelation: text('住户关系', {
    max: 10,
    help: '只在「追加住户」时填写；留空为业主',
    synonyms: ['与房屋关系', '关系'],
  }),
  effectiveDate: day('面积生效日期', { help: '覆盖已有房间的面积时，从哪天起按新面积；留空为今天' }),
}

export type RoomLine = ValueOf<typeof line>

/** An empty cell says nothing about the record: start values are given to new rooms alone. */
const silent = Object.fromEntries(
  Object.entries(line).map(([k, x]) => [k, { ...x, initial: undefined, notIn: undefined }]),
) as unknown as typeof line

/** Columns of export and import, in the order people read them. */
const order = [
  'code',
  'buildCode',
  'unitName',
  'floorNum',
  'roomNo',
  'newRoomNo',
  'roomType',
  'buildArea',
  'innerArea',
  'shareArea',
  'chargeArea',
  'effectiveDate',
  'feeRatio',
  'layout',
  'orientation',
  'roomState',
  'useType',
  'deliverDate',
  'checkinDate',
  'decorateBegin',
  'decorateEnd',
  'ownerCertNo',
  'brand',
  'industry',
  'remark',
  'state',
  'userName',
  'userMobile',
  'userRelation',
  'estateName',
] as const

export const roomSheet = sheetOf<RoomLine>(
  '房间',
  { fields: silent },
  { keys: order, unique: ['buildCode', 'unitName', 'roomNo'] },
)

/** The sheet an export writes: what the import reads, names for references. */
export const roomColumns = sheetColumns(
  f,
  order.filter(k => k in f).map(k => (k === 'buildCode' ? 'buildName' : k)),
)

/** An import goes into one project. */
export const ofProject = { projectCode: estateOf<true>() }

export const importRooms = imports({
  at: 'POST room/PostImport',
  title: '导入房间',
  needs: menu.room.may.import,
  affects: ['room', 'roomChange', 'resident', 'residency'],
  modes: duplicateMode,
  more: ofProject,
})

export const exportRooms = exports({
  at: 'GET Room/GetExport',
  title: '导出房间',
  needs: menu.room.may.export,
  of: listRooms,
})

export const exportShops = exports({
  at: 'GET Room/GetExportShop',
  title: '导出商铺',
  needs: menu.room.may.export,
  of: listRooms,
})
