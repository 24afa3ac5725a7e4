import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, int, text, through } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWhy,
  draftOf,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
  value,
} from '#kit/contract/shape.ts'
import { estateOf, inUse } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { fullPolicy, parkType } from './words.ts'

const places = (label: string) => int(label, { min: 0, max: 99_999 })

export const park = entity(
  'park',
  '停车场',
  { table: 'park', reach: 'project', key: 'code', title: 'name', order: ['projectCode', 'name'] },
  {
    projectCode: estateOf(),
    estateName: through('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    code: text('车场编码', {
      max: 20,
      rule: rules.lettersDigits,
      fixed: true,
      wire: 'ParkCode',
      sought: true,
      help: '公司内唯一；留空自动生成',
    }),
    name: text('车场名称', { required: true, max: 60, wire: 'ParkName', sought: true }),
    parkType: choice('类型', parkType, { required: true, initial: 'below' }),
    totalPlace: places('总车位'),
    tempPlace: places('临停车位'),
    reservedPlace: places('固定车位'),
    fullPolicy: choice('满位策略', fullPolicy, { notIn: ['table'] }),
    longitude: decimal('经度', { min: -180, max: 180, notIn: ['table'] }),
    latitude: decimal('纬度', { min: -90, max: 90, notIn: ['table'] }),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'] }),
    state: choice('状态', inUse, { required: true, initial: 'on' }),
  },
)

export type Park = Row<typeof park>

export const listParks = call({
  at: 'GET Park/get',
  title: '查询停车场',
  needs: everyone,
  input: search(park, ['name', 'parkType', 'fullPolicy', 'state', 'totalPlace']),
  output: pageOf(park, { sums: ['totalPlace', 'tempPlace', 'reservedPlace'] }),
})

/** All car parks in use of a project, for pickers. */
export const pickParks = call({
  at: 'GET park/v1/Park/GetListByProjectCode',
  names: ['Park/GetListByProjectCode'],
  title: '选择停车场',
  needs: everyone,
  input: shape({ projectCode: estateOf() }),
  output: rowsOf({ ...park.fields }),
})

export const onePark = call({
  at: 'GET Park/GetOne',
  title: '查看停车场',
  needs: menu.park.may.view,
  input: byId,
  output: oneOf(park),
})

/** A code that nobody has, for the form of a new car park. */
export const freshParkCode = call({
  at: 'GET Park/GetParkingCode',
  title: '生成车场编码',
  needs: menu.park.may.add,
  input: nothing,
  output: value(text('车场编码', { required: true })),
})

export const addPark = call({
  at: 'POST Park/post',
  title: '新增停车场',
  needs: menu.park.may.add,
  input: draftOf(park),
  output: oneOf(park),
  affects: ['park'],
})

export const editPark = call({
  at: 'PUT Park/put',
  title: '编辑停车场',
  needs: menu.park.may.edit,
  input: draftOf(park),
  output: oneOf(park),
  affects: ['park', 'parkPlace'],
})

export const deleteParks = call({
  at: 'DELETE Park/Delete',
  title: '删除停车场',
  needs: menu.park.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['park'],
})

const count = (label: string) => int(label, { required: true })

/**
 * Places by state for each car park. Use = (sold + let + own) ÷ places, percent with two decimals, absent
 * without places (STAT-9, STAT-13).
 */
export const parkFigures = call({
  at: 'GET Park/GetStatistics',
  title: '停车场统计',
  needs: menu.park.may.view,
  input: shape({ projectCode: estateOf({ required: false }) }),
  output: rowsOf({
    id: int('停车场', { required: true, wire: ['ParkID', 'ID'] }),
    code: park.fields.code,
    name: park.fields.name,
    total: count('车位数'),
    free: count('空闲'),
    sold: count('已售'),
    let: count('已租'),
    own: count('自用'),
    off: count('停用'),
    useRate: decimal('使用率', { scale: 2, unit: '%' }),
  }),
})
