import { call } from '#kit/contract/call.ts'
import {
  choice,
  choices,
  choiceTable,
  day,
  decimal,
  idOf,
  int,
  lines,
  list,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { areaType, rentState } from '#modules/estates/contract/public-area.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { placeState, placeType } from '#modules/parking/contract/labels.ts'
import { roomState, roomType } from '#modules/rooms/contract/labels.ts'
import { sourceType } from './choices.ts'
import { invalidatedEntities, permissions, relationFields } from './relation-calls.ts'

export const bindMode = choiceTable('BindMode', '已绑定同一项目时', {
  append: [1, '跳过，保留原数据'],
  replace: [2, '替换，原标准收到前一天'],
})

const bindFields = {
  projectCode: estateField<true>(),
  sourceType: choice('对象类型', sourceType, { required: true }),
  standardIds: list('收费标准', { max: 50, wire: ['StandardIDs', 'StandardID'] }),
  packageId: idOf('套餐', { min: 1, wire: 'PackageID' }),
  mode: choice('已绑定同一项目时', bindMode, { initial: 'append' }),
  beginDate: relationFields.beginDate,
  endDate: relationFields.endDate,
  priceOverride: relationFields.priceOverride,
  ratioOverride: relationFields.ratioOverride,
  quantity: relationFields.quantity,
  remark: relationFields.remark,
}

const sourceCodes = { max: 2000, wire: 'SourceCodes' } as const

/** Which objects a binding reaches: those of the type that match every given filter. */
export const bindFilters = {
  buildCodes: list('楼栋', { max: 200, dataDomain: 'building', wire: 'Buildcodes' }),
  unitNames: list('单元', { max: 50, wire: 'Unitnames' }),
  roomTypes: choices('房屋类型', roomType),
  roomStates: choices('房态', roomState),
  floorFrom: int('楼层起', { min: -20, max: 200 }),
  floorTo: int('楼层止', { min: -20, max: 200 }),
  areaFrom: decimal('面积起', { min: 0 }),
  areaTo: decimal('面积止', { min: 0 }),
  deliveredFrom: day('交付日期起'),
  deliveredTo: day('交付日期止'),
  parkIds: list('停车场', { max: 200, wire: 'ParkIDs' }),
  placeAreas: list('车位区域', { max: 200 }),
  placeStates: choices('车位状态', placeState),
  placeTypes: choices('车位类型', placeType),
  areaTypes: choices('公共区域类型', areaType),
  rentStates: choices('经营状态', rentState),
  except: list('不绑定的对象', { max: 2000, wire: 'ExceptCodes' }),
}

export type BindFilters = ValueOf<typeof bindFilters>

export const bindOutcome = choiceTable('BindOutcome', '结果', {
  bind: [10, '成功', 'done'],
  replace: [20, '替换', 'doing'],
  skip: [30, '跳过', 'hold'],
  lost: [40, '失败', 'bad'],
})

/** Up to 5,000 rows, and the counts of all. */
export const bindResult = shape({
  objects: int('收费对象', { required: true }),
  success: int('成功', { required: true }),
  replaced: int('其中替换', { required: true }),
  skipped: int('跳过', { required: true }),
  fail: int('失败', { required: true }),
  reasons: lines(
    '跳过的原因',
    { reason: text('原因', { required: true }), count: int('个数', { required: true }) },
    { required: true },
  ),
  rows: lines(
    '明细',
    {
      sourceCode: text('对象编码', { required: true }),
      sourceName: text('收费对象', { required: true }),
      standardId: idOf('标准', { required: true, wire: 'StandardID' }),
      standardName: text('收费标准', { required: true }),
      outcome: choice('结果', bindOutcome, { required: true }),
      reason: text('说明', { required: true }),
    },
    { required: true },
  ),
})

export type BindResult = NonNullable<typeof bindResult.T>

const objectLimitHelp = '一次最多 20000 个对象'

/** Named objects by one or several standards. */
export const batchBind = call({
  route: 'POST PropertyFeeitemRelation/PostBatchBind',
  title: '批量绑定',
  needs: permissions.batch,
  input: shape({ ...bindFields, sourceCodes: list('收费对象', { ...sourceCodes, required: true }) }),
  output: bindResult,
  affects: invalidatedEntities,
})

/** Objects by filter, by standards or a package (FEE-10). */
export const batchBindByFilter = call({
  route: 'POST PropertyFeeitemRelation/PostBatchBindPro',
  title: '按条件批量绑定',
  needs: permissions.batch,
  input: shape({ ...bindFields, ...bindFilters }),
  output: bindResult,
  affects: invalidatedEntities,
})

/** What either of them would do, without doing it. */
export const previewBind = call({
  route: 'POST PropertyFeeitemRelation/PostBindPreview',
  title: '批量绑定预览',
  needs: permissions.batch,
  readOnly: true,
  input: shape({
    ...bindFields,
    ...bindFilters,
    sourceCodes: list('收费对象', { ...sourceCodes, help: objectLimitHelp }),
  }),
  output: bindResult,
})
