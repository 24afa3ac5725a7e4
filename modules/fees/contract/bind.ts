import { call } from '#kit/contract/call.ts'
import {
  choice,
  choices,
  choiceTable,
  day,
  decimal,
  flag,
  int,
  lines,
  list,
  text,
  type Field,
  type ValueOf,
} from '#kit/contract/field.ts'
import { bulk, byId, byIdsWhy, draftOf, manyOf, oneOf, pageOf, search, shape } from '#kit/contract/shape.ts'
import { areaType, rentState } from '#modules/estates/contract/area.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { placeState, placeType } from '#modules/parking/contract/words.ts'
import { roomState, roomType } from '#modules/rooms/contract/words.ts'
import { menu } from '../module.ts'
import { sourceType } from './choices.ts'
import { feeRelation, relationFilters } from './relation.ts'

const f = feeRelation.fields
const may = menu.relation.may
const stale = ['feeRelation', 'feeStandard'] as const

const bySource = {
  sourceCode: text('对象编码', { max: 40, wire: ['SourceCode', 'RoomCode', 'PlaceCode', 'AreaCode'] }),
  priced: flag('只看单价覆盖'),
  live: flag('仅在收', { wire: 'Live' }),
}

const asked = search(feeRelation, relationFilters, bySource)

export const listRelations = call({
  at: 'GET PropertyFeeitemRelation/GetFeeRelation',
  title: '查询收费关联',
  needs: may.view,
  input: asked,
  output: pageOf(feeRelation),
})

export const roomRelations = call({
  at: 'GET PropertyFeeitemRelation/GetRoomRelation',
  title: '房间的收费关联',
  needs: may.view,
  input: asked,
  output: pageOf(feeRelation),
})

export const placeRelations = call({
  at: 'GET PropertyFeeitemRelation/GetParkPlaceRelation',
  title: '车位的收费关联',
  needs: may.view,
  input: asked,
  output: pageOf(feeRelation),
})

export const areaRelations = call({
  at: 'GET PropertyFeeitemRelation/GetPublicAreaRelation',
  title: '公共区域的收费关联',
  needs: may.view,
  input: asked,
  output: pageOf(feeRelation),
})

export const carRelations = call({
  at: 'GET PropertyFeeitemRelation/GetCarRelation',
  title: '车辆的收费关联',
  needs: may.view,
  input: asked,
  output: pageOf(feeRelation),
})

export const oneRelation = call({
  at: 'GET PropertyFeeitemRelation/GetOne',
  title: '查看收费关联',
  needs: may.view,
  input: byId,
  output: oneOf(feeRelation),
})

const project = estateOf<false>({ required: false })

/** All of one object, past ones too. */
export const relationsOfSource = call({
  at: 'GET PropertyFeeitemRelation/GetFeeRelationBySourceCode',
  title: '对象的收费关联',
  needs: may.view,
  input: shape({
    projectCode: project,
    sourceType: choice('对象类型', sourceType),
    sourceCode: text('对象编码', { required: true, max: 40 }),
  }),
  output: manyOf(feeRelation),
})

/** What a resident pays: his rooms' and what names him as the payer. */
export const relationsOfUser = call({
  at: 'GET PropertyFeeitemRelation/GetFeeRelationByUserId',
  title: '住户的收费关联',
  needs: may.view,
  input: shape({ userId: int('住户', { required: true, min: 1, wire: ['UserId', 'UserID'] }) }),
  output: manyOf(feeRelation),
})

/** What a company pays: its own, its rooms' and what names it as the payer. */
export const relationsOfCompany = call({
  at: 'GET Company/GetFeeStandardList',
  title: '企业的收费关联',
  needs: may.view,
  input: shape({ companyId: int('企业', { required: true, min: 1, wire: ['CompanyID', 'ID'] }) }),
  output: manyOf(feeRelation),
})

const given = ['sourceName', 'buildCode', 'feeItemId', 'billedTo', 'multi', 'state', 'stopReason'] as const

export const addRelation = call({
  at: 'POST PropertyFeeitemRelation/Post',
  title: '新增收费关联',
  needs: may.add,
  input: draftOf(feeRelation, given),
  output: oneOf(feeRelation),
  affects: stale,
})

/** The object stays; the standard may change for another one of its item. */
export const editRelation = call({
  at: 'PUT PropertyFeeitemRelation/Put',
  title: '编辑收费关联',
  needs: may.edit,
  input: draftOf(feeRelation, given),
  output: oneOf(feeRelation),
  affects: stale,
})

/** Those that have bills stay, and are told apart: they can only end. */
export const deleteRelations = call({
  at: 'DELETE PropertyFeeitemRelation/Delete',
  names: ['POST PropertyFeeitemRelation/PostBatchDelete'],
  title: '删除收费关联',
  needs: may.del,
  input: byIdsWhy,
  output: bulk,
  affects: stale,
})

const ids = byIdsWhy.fields.ids as Field<readonly string[], true, 'list'>
const reason = byIdsWhy.fields.reason as Field<string, true, 'text'>

export const stopRelations = call({
  at: 'POST PropertyFeeitemRelation/PostStop',
  title: '停收',
  needs: may.stop,
  input: byIdsWhy,
  output: bulk,
  affects: stale,
})

/** CYC-8 */
export const resumeHow = choiceTable('ResumeHow', '恢复方式', {
  backwards: [1, '补收停收期'],
  onwards: [2, '从恢复日起收'],
})

export const resumeRelations = call({
  at: 'POST PropertyFeeitemRelation/PostResume',
  title: '恢复收费',
  needs: may.stop,
  input: shape({
    ids,
    how: choice('恢复方式', resumeHow, { required: true }),
    day: day('恢复日', { help: '从恢复日起收时填写，留空为今天' }),
  }),
  output: bulk,
  affects: stale,
})

/**
 * On its last day the object is still charged (CYC-3); what was billed beyond it is the bills' to settle
 * (CYC-9).
 */
export const endRelations = call({
  at: 'POST PropertyFeeitemRelation/PostEnd',
  title: '结束收费',
  needs: may.stop,
  input: shape({ ids, endDate: day('止收日期', { required: true }), reason }),
  output: bulk,
  affects: stale,
})

export const bindMode = choiceTable('BindMode', '已绑定同一项目时', {
  append: [1, '跳过，保留原来的'],
  replace: [2, '替换，原标准收到前一天'],
})

const whatever = {
  projectCode: estateOf<true>(),
  sourceType: choice('对象类型', sourceType, { required: true }),
  standardIds: list('收费标准', { max: 50, wire: ['StandardIDs', 'StandardID'] }),
  packageId: int('套餐', { min: 1, wire: 'PackageID' }),
  mode: choice('已绑定同一项目时', bindMode, { initial: 'append' }),
  beginDate: f.beginDate,
  endDate: f.endDate,
  priceOverride: f.priceOverride,
  ratioOverride: f.ratioOverride,
  quantity: f.quantity,
  remark: f.remark,
}

const sourceCodes = { max: 2000, wire: 'SourceCodes' } as const

/** Which objects a binding reaches: all of the type that agree with every one that is said. */
export const reach = {
  buildCodes: list('楼栋', { max: 200, within: 'building', wire: 'Buildcodes' }),
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

export type Reach = ValueOf<typeof reach>

export const bindOutcome = choiceTable('BindOutcome', '结果', {
  bind: [10, '成功', 'done'],
  replace: [20, '替换', 'doing'],
  skip: [30, '跳过', 'hold'],
  lost: [40, '失败', 'bad'],
})

/** Row by row up to 5,000, the counts of all. */
export const bindAnswer = shape({
  objects: int('对象', { required: true }),
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
      standardId: int('标准', { required: true, wire: 'StandardID' }),
      standardName: text('收费标准', { required: true }),
      outcome: choice('结果', bindOutcome, { required: true }),
      reason: text('说明', { required: true }),
    },
    { required: true },
  ),
})

export type BindAnswer = NonNullable<typeof bindAnswer.T>
const most = '一次最多 20000 个对象'

/** Named objects by one or several standards. */
export const batchBind = call({
  at: 'POST PropertyFeeitemRelation/PostBatchBind',
  title: '批量绑定',
  needs: may.batch,
  input: shape({ ...whatever, sourceCodes: list('收费对象', { ...sourceCodes, required: true }) }),
  output: bindAnswer,
  affects: stale,
})

/** Objects by filter, by standards or a package (FEE-10). */
export const batchBindPro = call({
  at: 'POST PropertyFeeitemRelation/PostBatchBindPro',
  title: '按条件批量绑定',
  needs: may.batch,
  input: shape({ ...whatever, ...reach }),
  output: bindAnswer,
  affects: stale,
})

/** What either of them would do, done by nobody. */
export const previewBind = call({
  at: 'POST PropertyFeeitemRelation/PostBindPreview',
  title: '批量绑定预览',
  needs: may.batch,
  reads: true,
  input: shape({ ...whatever, ...reach, sourceCodes: list('收费对象', { ...sourceCodes, help: most }) }),
  output: bindAnswer,
})
