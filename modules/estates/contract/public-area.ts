import { everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, decimal, keyRef, list, text, lookup } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { menu } from '../module.ts'
import { estateField } from './estate.ts'

export const areaType = choiceTable('PublicAreaType', '公共区域类型', {
  lobby: [10, '大堂'],
  corridor: [20, '走廊'],
  square: [30, '广场'],
  advert: [40, '广告位'],
  plant: [50, '设备房'],
  green: [60, '绿地'],
  club: [70, '会所'],
  other: [90, '其他'],
})

export const rentState = choiceTable('RentState', '经营状态', {
  vacant: [10, '空置', 'open'],
  let: [20, '出租', 'done'],
  own: [30, '自用'],
})

/**
 * A public area has an area and may be charged for (advert space, base station): a bill source like a room
 * (BASE-8).
 */
export const publicArea = entity(
  'publicArea',
  '公共区域',
  { table: 'public_area', tenancy: 'project', key: 'code', title: 'name', order: ['code'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    code: text('编码', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      wire: 'AreaCode',
      searchable: true,
      help: '项目内唯一；不填则自动生成',
    }),
    name: text('名称', { required: true, max: 60, wire: 'AreaName', searchable: true }),
    buildCode: keyRef('楼栋', 'building', { dataDomain: 'building', wire: 'Buildcode', hiddenIn: ['table'] }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'BuildName' }),
    areaType: choice('类型', areaType, { required: true }),
    area: decimal('面积', { unit: '㎡', min: 0, max: 99999999 }),
    rentState: choice('经营状态', rentState, { required: true, initial: 'vacant' }),
    position: text('位置', { max: 100, searchable: true }),
    photos: list('图片', { max: 9, holdsFiles: true, hiddenIn: ['table', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type PublicArea = Row<typeof publicArea>

export const publicAreas = crud(publicArea, {
  path: 'PropertyPublicarea',
  permissions: menu.area.permissions,
  filters: ['name', 'areaType', 'rentState', 'buildCode', 'area'],
  sums: ['area'],
  list: { needs: everyone },
  add: { route: 'POST PropertyPublicarea/post' },
  edit: { route: 'PUT PropertyPublicarea/put' },
})

export const exportPublicAreas = crudExport(publicAreas, { needs: menu.area.permissions.export })
