import { call, everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, idOf, int, text, lookup } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { noData, listOfRows, shape, singleValue } from '#kit/contract/shape.ts'
import { estateField, enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { fullPolicy, parkType } from './labels.ts'

const placeCountField = (label: string) => int(label, { min: 0, max: 99_999 })

export const park = entity(
  'park',
  '停车场',
  { table: 'park', tenancy: 'project', key: 'code', title: 'name', order: ['projectCode', 'name'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    code: text('车场编码', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      wire: 'ParkCode',
      searchable: true,
      help: '公司内唯一；不填则自动生成',
    }),
    name: text('车场名称', {
      required: true,
      max: 60,
      wire: 'ParkName',
      searchable: true,
      naturalOrder: true,
    }),
    parkType: choice('类型', parkType, { required: true, initial: 'below' }),
    totalPlace: placeCountField('总车位'),
    tempPlace: placeCountField('临停车位'),
    reservedPlace: placeCountField('固定车位'),
    fullPolicy: choice('满位策略', fullPolicy, { hiddenIn: ['table'] }),
    longitude: decimal('经度', { min: -180, max: 180, hiddenIn: ['table'] }),
    latitude: decimal('纬度', { min: -90, max: 90, hiddenIn: ['table'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type Park = Row<typeof park>

export const parks = crud(park, {
  path: 'Park',
  permissions: menu.park.permissions,
  filters: ['name', 'parkType', 'fullPolicy', 'state', 'totalPlace'],
  sums: ['totalPlace', 'tempPlace', 'reservedPlace'],
  list: { route: 'GET Park/get', needs: everyone },
  add: { route: 'POST Park/post' },
  edit: { route: 'PUT Park/put', affects: ['parkPlace'] },
})

export const { list: listParks, get: getPark, add: addPark, edit: editPark, delete: deleteParks } = parks

/** All car parks in use of a project, for pickers. */
export const pickParks = call({
  route: 'GET park/v1/Park/GetListByProjectCode',
  aliases: ['Park/GetListByProjectCode'],
  title: '选择停车场',
  needs: everyone,
  input: shape({ projectCode: estateField() }),
  output: listOfRows({ ...park.fields }),
})

/** A code that nobody has, for the form of a new car park. */
export const generateParkCode = call({
  route: 'GET Park/GetParkingCode',
  title: '生成车场编码',
  needs: menu.park.permissions.add,
  input: noData,
  output: singleValue(text('车场编码', { required: true })),
})

const requiredCount = (label: string) => int(label, { required: true })

/**
 * Places by state for each car park. Use = (sold + let + own) ÷ places, percent with two decimals, absent
 * without places (STAT-9, STAT-13).
 */
export const listParkStatistics = call({
  route: 'GET Park/GetStatistics',
  title: '停车场统计',
  needs: menu.park.permissions.view,
  input: shape({ projectCode: estateField({ required: false }) }),
  output: listOfRows({
    id: idOf('停车场', { required: true, wire: ['ParkID', 'ID'] }),
    code: park.fields.code,
    name: park.fields.name,
    total: requiredCount('车位数'),
    free: requiredCount('空闲'),
    sold: requiredCount('已售'),
    let: requiredCount('已租'),
    own: requiredCount('自用'),
    off: requiredCount('停用'),
    useRate: decimal('使用率', { scale: 2, unit: '%' }),
  }),
})
