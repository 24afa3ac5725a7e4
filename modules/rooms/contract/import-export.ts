import { crudImport, type SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { day, text } from '#kit/contract/field.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { rules } from '#kit/contract/rules.ts'
import { partialFields } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { listRooms, room } from './room.ts'
import { duplicateMode } from './labels.ts'

const { fields: roomFields } = room

/** Columns of export and import, in the order people read them. */
const columnOrder = [
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

/** A line: only the three parts of the natural key are required (BASE-1). */
export const importRooms = crudImport(
  { entity: room, path: 'room' },
  {
    needs: menu.room.permissions.import,
    affects: ['room', 'roomChange', 'resident', 'residency', 'building'],
    addsMissing: '楼栋或单元',
    modes: duplicateMode,
    fields: {
      estateName: text('项目', { max: 60, help: '与所选项目一致；选填' }),
      ...partialFields({
        floorNum: { ...roomFields.floorNum, help: '不填按房号推算，如 1502 为 15 层；地下为负数' },
      }),
      buildCode: roomFields.buildCode,
      unitName: roomFields.unitName,
      roomNo: roomFields.roomNo,
      newRoomNo: text('新房号', { max: 20, help: '只在「批量改房号」时填写' }),
      userName: text('住户姓名', {
        max: 40,
        help: '新增的房间登记此住户；已有的房间选「追加住户」才登记',
        synonyms: ['业主姓名', '姓名'],
      }),
      userMobile: text('住户手机号', {
        max: 20,
        rule: rules.mobile,
        help: '手机号已登记的关联到该住户；给已有的房间追加住户时必填',
        synonyms: ['业主手机号', '手机号', '手机', '联系电话'],
      }),
      userRelation: text('住户关系', {
        max: 10,
        help: '不填为业主',
        synonyms: ['与房屋关系', '关系'],
      }),
      effectiveDate: day('面积生效日期', { help: '覆盖已有房间的面积时，新面积的生效日期；不填为今天' }),
    },
    columns: columnOrder,
    unique: ['buildCode', 'unitName', 'roomNo'],
  },
)

export type RoomSheetRow = SheetLineOf<typeof importRooms>

/** The sheet an export writes: what the import reads, names for references. */
export const roomColumns = sheetColumns(
  roomFields,
  columnOrder.filter(k => k in roomFields).map(k => (k === 'buildCode' ? 'buildName' : k)),
)

export const exportRooms = declareExport({
  route: 'GET Room/GetExport',
  title: '导出房间',
  needs: menu.room.permissions.export,
  list: listRooms,
})

export const exportShops = declareExport({
  route: 'GET Room/GetExportShop',
  title: '导出商铺',
  needs: menu.room.permissions.export,
  list: listRooms,
})
