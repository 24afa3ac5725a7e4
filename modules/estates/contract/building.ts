import { call, everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport, crudImport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  day,
  decimal,
  idOf,
  int,
  keyRef,
  list,
  text,
  lookup,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { estateField } from './estate.ts'

/** 0 numbers the units, any other code letters them ([S], BASE-2, 0§3). */
export const unitType = choiceTable(
  'Unittype',
  '单元命名方式',
  { number: [0, '数字'], letter: [1, '字母'] },
  'letter',
)

export const buildType = choiceTable('BuildType', '楼栋类型', {
  high: [10, '高层'],
  middle: [20, '小高层'],
  low: [30, '多层'],
  villa: [40, '别墅'],
  shop: [50, '商业'],
  office: [60, '办公'],
  garage: [70, '车库'],
})

export const building = entity(
  'building',
  '楼栋',
  { table: 'building', tenancy: 'project', key: 'code', title: 'name', order: ['sort', 'name'] },
  {
    projectCode: estateField({ wire: ['Projectcode', 'ProjectCode'] }),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['sheet'] }),
    name: text('楼栋名称', {
      required: true,
      max: 40,
      wire: ['Buildname', 'BuildName'],
      searchable: true,
      naturalOrder: true,
      synonyms: ['楼栋', '楼宇', '楼宇名称', '楼号'],
    }),
    code: text('楼栋编码', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      dataDomain: 'building',
      wire: 'Buildcode',
      searchable: true,
      help: '字母或数字，项目内唯一；不填则自动生成',
    }),
    buildType: choice('楼栋类型', buildType),
    units: int('单元数', { required: true, min: 1, max: 50, initial: 1 }),
    unitType: choice('单元命名方式', unitType, {
      required: true,
      initial: 'number',
      wire: 'Unittype',
      hiddenIn: ['table'],
    }),
    unitNames: list('单元名称', {
      wire: 'Unitnames',
      max: 50,
      help: '个数与单元数一致；不填按命名方式生成 1、2… 或 A、B…',
    }),
    floors: list('楼层数', {
      required: true,
      max: 50,
      help: '各单元层数，用逗号分隔；只填一个数则适用于所有单元',
    }),
    undergroundFloors: int('地下层数', { min: 0, max: 20, initial: 0, hiddenIn: ['table'] }),
    buildArea: decimal('建筑面积', { unit: '㎡', min: 0, max: 99999999 }),
    elevatorCount: int('电梯数', { min: 0, max: 200, hiddenIn: ['table'] }),
    deliverDate: day('交付日期'),
    sort: int('排序', {
      min: 0,
      max: 999999,
      initial: 0,
      zeroIsNone: true,
      hiddenIn: ['table', 'filter'],
      help: '0 为不指定，按名称排在最后',
    }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
  },
)

export type Building = Row<typeof building>

/** Units are kept by their building; people and rooms call them by name within it. */
export const unit = entity(
  'unit',
  '单元',
  { table: 'unit', tenancy: 'project', key: 'code', title: 'name', order: ['buildCode', 'sort'] },
  {
    projectCode: estateField(),
    buildCode: keyRef('楼栋', 'building', { required: true, dataDomain: 'building', wire: 'Buildcode' }),
    code: text('单元编码', { required: true, max: 20, wire: 'code' }),
    name: text('单元名称', { required: true, max: 20, wire: 'name' }),
    floorCount: int('层数', { required: true, min: 1, max: 200 }),
    undergroundFloors: int('地下层数', { min: 0, max: 20 }),
    sort: int('排序', { required: true }),
  },
)

export const buildings = crud(building, {
  path: 'building',
  permissions: menu.building.permissions,
  operations: ['list', 'add', 'edit', 'delete'],
  filters: ['name', 'buildType', 'deliverDate', 'buildArea'],
  search: { id: idOf('编号', { wire: 'ID', min: 1 }) },
  sums: ['units', 'buildArea', 'elevatorCount'],
  list: { route: 'GET building/get', needs: everyone },
  add: { route: 'POST building/post' },
  edit: { route: 'PUT building/put', affects: ['room'] },
  delete: { route: 'DELETE Building/Delete' },
})

export const {
  list: listBuildings,
  add: addBuilding,
  edit: editBuilding,
  delete: deleteBuildings,
} = buildings

/** All buildings of a project, for pickers. */
export const pickBuildings = call({
  route: 'GET building/getbuildlist',
  title: '选择楼栋',
  needs: everyone,
  input: shape({ projectCode: estateField({ required: false }) }),
  output: listOfRows({ ...building.fields }),
})

export const pickUnits = call({
  route: 'GET building/getunit',
  title: '选择单元',
  needs: everyone,
  input: shape({
    projectCode: estateField({ required: false }),
    buildCode: keyRef('楼栋', 'building', { required: true, wire: 'Buildcode' }),
  }),
  output: listOfRows({ ...unit.fields }),
})

export const importBuildings = crudImport(buildings, {
  needs: menu.building.permissions.import,
  // A building that is there keeps its floors; the rules ask them of a new one.
  optional: ['floors'],
  unique: ['name'],
  input: { projectCode: estateField<true>() },
})

export const exportBuildings = crudExport(buildings, {
  needs: menu.building.permissions.export,
})
