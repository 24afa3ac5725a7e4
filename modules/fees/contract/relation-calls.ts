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
import {
  bulkResult,
  byId,
  byIdsWithReason,
  draftOf,
  listOf,
  recordOf,
  pageOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { areaType, rentState } from '#modules/estates/contract/public-area.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { placeState, placeType } from '#modules/parking/contract/labels.ts'
import { roomState, roomType } from '#modules/rooms/contract/labels.ts'
import { menu } from '../module.ts'
import { sourceType } from './choices.ts'
import { feeRelation, relationFilters } from './relation.ts'

const relationFields = feeRelation.fields
const permissions = menu.relation.permissions
const invalidatedEntities = ['feeRelation', 'feeStandard'] as const

const sourceFilters = {
  sourceCode: text('对象编码', { max: 40, wire: ['SourceCode', 'RoomCode', 'PlaceCode', 'AreaCode'] }),
  priced: flag('只看单价覆盖'),
  live: flag('仅在收', { wire: 'Live' }),
}

const relationSearch = search(feeRelation, relationFilters, sourceFilters)

export const listRelations = call({
  route: 'GET PropertyFeeitemRelation/GetFeeRelation',
  title: '查询收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listRoomRelations = call({
  route: 'GET PropertyFeeitemRelation/GetRoomRelation',
  title: '房间的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listPlaceRelations = call({
  route: 'GET PropertyFeeitemRelation/GetParkPlaceRelation',
  title: '车位的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listAreaRelations = call({
  route: 'GET PropertyFeeitemRelation/GetPublicAreaRelation',
  title: '公共区域的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const listCarRelations = call({
  route: 'GET PropertyFeeitemRelation/GetCarRelation',
  title: '车辆的收费关联',
  needs: permissions.view,
  input: relationSearch,
  output: pageOf(feeRelation),
})

export const getRelation = call({
  route: 'GET PropertyFeeitemRelation/GetOne',
  title: '查看收费关联',
  needs: permissions.view,
  input: byId,
  output: recordOf(feeRelation),
})

const optionalProject = estateField<false>({ required: false })

/** All of one object, past ones too. */
export const listRelationsOfSource = call({
  route: 'GET PropertyFeeitemRelation/GetFeeRelationBySourceCode',
  title: '对象的收费关联',
  needs: permissions.view,
  input: shape({
    projectCode: optionalProject,
    sourceType: choice('对象类型', sourceType),
    sourceCode: text('对象编码', { required: true, max: 40 }),
  }),
  output: listOf(feeRelation),
})

/** What a resident pays: his rooms' and what names him as the payer. */
export const listRelationsOfUser = call({
  route: 'GET PropertyFeeitemRelation/GetFeeRelationByUserId',
  title: '住户的收费关联',
  needs: permissions.view,
  input: shape({ userId: int('住户', { required: true, min: 1, wire: ['UserId', 'UserID'] }) }),
  output: listOf(feeRelation),
})

/** What a company pays: its own, its rooms' and what names it as the payer. */
export const listRelationsOfCompany = call({
  route: 'GET Company/GetFeeStandardList',
  title: '企业的收费关联',
  needs: permissions.view,
  input: shape({ companyId: int('企业', { required: true, min: 1, wire: ['CompanyID', 'ID'] }) }),
  output: listOf(feeRelation),
})

const serverSetFields = [
  'sourceName',
  'buildCode',
  'feeItemId',
  'billedTo',
  'multi',
  'state',
  'stopReason',
] as const

export const addRelation = call({
  route: 'POST PropertyFeeitemRelation/Post',
  title: '新增收费关联',
  needs: permissions.add,
  input: draftOf(feeRelation, serverSetFields),
  output: recordOf(feeRelation),
  affects: invalidatedEntities,
})

/** The object stays; the standard may change for another one of its item. */
export const editRelation = call({
  route: 'PUT PropertyFeeitemRelation/Put',
  title: '编辑收费关联',
  needs: permissions.edit,
  input: draftOf(feeRelation, serverSetFields),
  output: recordOf(feeRelation),
  affects: invalidatedEntities,
})

/** Those that have bills stay, and are told apart: they can only end. */
export const deleteRelations = call({
  route: 'DELETE PropertyFeeitemRelation/Delete',
  aliases: ['POST PropertyFeeitemRelation/PostBatchDelete'],
  title: '删除收费关联',
  needs: permissions.del,
  input: byIdsWithReason,
  output: bulkResult,
  affects: invalidatedEntities,
})

const ids = byIdsWithReason.fields.ids as Field<readonly string[], true, 'list'>
const reason = byIdsWithReason.fields.reason as Field<string, true, 'text'>

export const stopRelations = call({
  route: 'POST PropertyFeeitemRelation/PostStop',
  title: '停收',
  needs: permissions.stop,
  input: byIdsWithReason,
  output: bulkResult,
  affects: invalidatedEntities,
})

/** CYC-8 */
export const resumeMode = choiceTable('ResumeHow', '恢复方式', {
  backwards: [1, '补收停收期'],
  onwards: [2, '从恢复日起收'],
})

export const resumeRelations = call({
  route: 'POST PropertyFeeitemRelation/PostResume',
  title: '恢复收费',
  needs: permissions.stop,
  input: shape({
    ids,
    how: choice('恢复方式', resumeMode, { required: true }),
    day: day('恢复日', { help: '从恢复日起收时填写，留空为今天' }),
  }),
  output: bulkResult,
  affects: invalidatedEntities,
})

/**
 * On its last day the object is still charged (CYC-3); what was billed beyond it is the bills' to settle
 * (CYC-9).
 */
export const endRelations = call({
  route: 'POST PropertyFeeitemRelation/PostEnd',
  title: '结束收费',
  needs: permissions.stop,
  input: shape({ ids, endDate: day('止收日期', { required: true }), reason }),
  output: bulkResult,
  affects: invalidatedEntities,
})

export const bindMode = choiceTable('BindMode', '已绑定同一项目时', {
  append: [1, '跳过，保留原来的'],
  replace: [2, '替换，原标准收到前一天'],
})

const bindFields = {
  projectCode: estateField<true>(),
  sourceType: choice('对象类型', sourceType, { required: true }),
  standardIds: list('收费标准', { max: 50, wire: ['StandardIDs', 'StandardID'] }),
  packageId: int('套餐', { min: 1, wire: 'PackageID' }),
  mode: choice('已绑定同一项目时', bindMode, { initial: 'append' }),
  beginDate: relationFields.beginDate,
  endDate: relationFields.endDate,
  priceOverride: relationFields.priceOverride,
  ratioOverride: relationFields.ratioOverride,
  quantity: relationFields.quantity,
  remark: relationFields.remark,
}

const sourceCodes = { max: 2000, wire: 'SourceCodes' } as const

/** Which objects a binding reaches: all of the type that agree with every one that is said. */
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

/** Row by row up to 5,000, the counts of all. */
export const bindResult = shape({
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

/** What either of them would do, done by nobody. */
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
