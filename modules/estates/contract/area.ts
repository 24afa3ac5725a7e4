import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, decimal, keyRef, list, text, through } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { byId, byIdsWhy, draftOf, nothing, oneOf, pageOf, search } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { estateOf } from './estate.ts'

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
  { table: 'public_area', reach: 'project', key: 'code', title: 'name', order: ['code'] },
  {
    projectCode: estateOf(),
    estateName: through('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    code: text('编码', {
      max: 20,
      rule: rules.lettersDigits,
      fixed: true,
      wire: 'AreaCode',
      sought: true,
      help: '项目内唯一；留空自动生成',
    }),
    name: text('名称', { required: true, max: 60, wire: 'AreaName', sought: true }),
    buildCode: keyRef('楼栋', 'building', { within: 'building', wire: 'Buildcode', notIn: ['table'] }),
    buildName: through('楼栋', 'buildCode', 'name', { wire: 'BuildName' }),
    areaType: choice('类型', areaType, { required: true }),
    area: decimal('面积', { unit: '㎡', min: 0, max: 99999999 }),
    rentState: choice('经营状态', rentState, { required: true, initial: 'vacant' }),
    position: text('位置', { max: 100, sought: true }),
    photos: list('图片', { max: 9, notIn: ['table', 'filter', 'sheet'] }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
  },
)

export type PublicArea = Row<typeof publicArea>

export const listAreas = call({
  at: 'GET PropertyPublicarea/Get',
  title: '查询公共区域',
  needs: everyone,
  input: search(publicArea, ['name', 'areaType', 'rentState', 'buildCode', 'area']),
  output: pageOf(publicArea, { sums: ['area'] }),
})

export const oneArea = call({
  at: 'GET PropertyPublicarea/GetOne',
  title: '查看公共区域',
  needs: menu.area.may.view,
  input: byId,
  output: oneOf(publicArea),
})

export const addArea = call({
  at: 'POST PropertyPublicarea/post',
  title: '新增公共区域',
  needs: menu.area.may.add,
  input: draftOf(publicArea),
  output: oneOf(publicArea),
  affects: ['publicArea'],
})

export const editArea = call({
  at: 'PUT PropertyPublicarea/put',
  title: '编辑公共区域',
  needs: menu.area.may.edit,
  input: draftOf(publicArea),
  output: oneOf(publicArea),
  affects: ['publicArea'],
})

export const deleteAreas = call({
  at: 'DELETE PropertyPublicarea/Delete',
  title: '删除公共区域',
  needs: menu.area.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['publicArea'],
})
