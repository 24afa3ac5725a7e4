import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, decimal, keyRef, list, text, lookup } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { byId, byIdsWithReason, draftOf, noData, recordOf, pageOf, search } from '#kit/contract/shape.ts'
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
      help: '项目内唯一；留空自动生成',
    }),
    name: text('名称', { required: true, max: 60, wire: 'AreaName', searchable: true }),
    buildCode: keyRef('楼栋', 'building', { dataDomain: 'building', wire: 'Buildcode', hiddenIn: ['table'] }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'BuildName' }),
    areaType: choice('类型', areaType, { required: true }),
    area: decimal('面积', { unit: '㎡', min: 0, max: 99999999 }),
    rentState: choice('经营状态', rentState, { required: true, initial: 'vacant' }),
    position: text('位置', { max: 100, searchable: true }),
    photos: list('图片', { max: 9, hiddenIn: ['table', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type PublicArea = Row<typeof publicArea>

export const listPublicAreas = call({
  route: 'GET PropertyPublicarea/Get',
  title: '查询公共区域',
  needs: everyone,
  input: search(publicArea, ['name', 'areaType', 'rentState', 'buildCode', 'area']),
  output: pageOf(publicArea, { sums: ['area'] }),
})

export const getPublicArea = call({
  route: 'GET PropertyPublicarea/GetOne',
  title: '查看公共区域',
  needs: menu.area.permissions.view,
  input: byId,
  output: recordOf(publicArea),
})

export const addPublicArea = call({
  route: 'POST PropertyPublicarea/post',
  title: '新增公共区域',
  needs: menu.area.permissions.add,
  input: draftOf(publicArea),
  output: recordOf(publicArea),
  affects: ['publicArea'],
})

export const editPublicArea = call({
  route: 'PUT PropertyPublicarea/put',
  title: '编辑公共区域',
  needs: menu.area.permissions.edit,
  input: draftOf(publicArea),
  output: recordOf(publicArea),
  affects: ['publicArea'],
})

export const deletePublicAreas = call({
  route: 'DELETE PropertyPublicarea/Delete',
  title: '删除公共区域',
  needs: menu.area.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['publicArea'],
})
