import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  int,
  lines,
  list,
  money,
  ref,
  text,
  through,
  type Field,
  type ValueOf,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  also,
  bulk,
  byId,
  byIdsWhy,
  draftOf,
  manyOf,
  nothing,
  oneOf,
  pageOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { estateOf, inUse } from '#modules/estates/contract/estate.ts'
import {
  areaKind,
  chargeMode,
  cycleType,
  dueBase,
  feeType,
  formulaType,
  prorateMode,
  quantityKind,
  roundType,
  roundUnit,
  scene,
  sourceType,
  startRule,
  tierBase,
} from './choices.ts'
import { named } from './formula.ts'
import { lateRate, turned, turning } from './item.ts'
import { menu } from '../module.ts'

const aside = { notIn: ['table', 'filter'] } as const
const told = { derived: true, notIn: ['form', 'filter', 'sheet'] } as const

/** An item by a formula for a project: cycle, rounding, due day; its prices are versions (FEE-6). */
export const feeStandard = entity(
  'feeStandard',
  '收费标准',
  { table: 'fee_standard', reach: 'project', title: 'name', order: ['feeItemId', 'code'] },
  {
    projectCode: estateOf<true>({ wire: ['Projectcode', 'ProjectCode'] }),
    code: text('编码', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      fixed: true,
      sought: true,
      wire: 'StandardCode',
      help: '复制到其他项目时按编码对应',
    }),
    name: text('名称', {
      required: true,
      max: 60,
      sought: true,
      wire: 'StandardName',
      synonyms: ['收费标准'],
    }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      fixed: true,
      wire: 'FeeItemID',
      notIn: ['table'],
    }),
    feeItemName: through('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName' }),
    formulaId: ref('公式', 'feeFormula', {
      required: true,
      fixed: true,
      wire: 'FormulaID',
      notIn: ['table'],
    }),
    formulaName: through('公式', 'formulaId', 'name', { wire: 'FormulaName' }),
    areaKind: choice('面积口径', areaKind, aside),
    quantityKind: choice('数量口径', quantityKind, { wire: 'QtyKind', ...aside }),
    usageUnit: text('计量单位', { max: 10, ...aside }),
    cycleType: choice('账期方式', cycleType, { required: true, initial: 'natural' }),
    cycleMonths: int('周期月数', {
      required: true,
      initial: 1,
      min: 1,
      max: 12,
      help: '1、2、3、4、6 或 12',
    }),
    alignYear: flag('按年对齐', { required: true, initial: true, ...aside }),
    chargeMode: choice('收费方式', chargeMode, { required: true, initial: 'ahead' }),
    startRule: choice('起收规则', startRule, { required: true, initial: 'given', ...aside }),
    prorateMode: choice('不足月规则', prorateMode, { required: true, initial: 'actual', ...aside }),
    advanceDays: int('提前出账天数', { required: true, initial: 0, min: 0, max: 366, ...aside }),
    delayDays: int('延后出账天数', { required: true, initial: 0, min: 0, max: 366, ...aside }),
    dueBase: choice('应缴日基准', dueBase, { required: true, initial: 'begin', ...aside }),
    dueDays: int('应缴天数', {
      required: true,
      initial: 30,
      min: 0,
      max: 366,
      help: '每月固定日时填几号',
      ...aside,
    }),
    dueSkipHoliday: flag('节假日顺延', { required: true, initial: false, ...aside }),
    roundType: choice('舍入', roundType, { required: true, initial: 'halfUp', ...aside }),
    roundUnit: choice('精度', roundUnit, { required: true, initial: 'fen', ...aside }),
    minAmount: money('最低', { min: 0, ...aside }),
    maxAmount: money('最高', { min: 0, ...aside }),
    endDate: day('停用日期', { notIn: ['table'] }),
    tiersStretch: flag('阶梯随账期放大', { required: true, initial: true, ...aside }),
    lateFeeSwitch: flag('启用违约金', { ...aside, help: '不选时按收费项目' }),
    lateRates: lines('日费率', lateRate, { max: 20, ...aside }),
    graceDays: int('宽限天数', { min: 0, max: 365, ...aside }),
    remark: text('备注', { max: 200, ...aside }),
    state: choice('状态', inUse, { required: true, initial: 'on', fixed: true, notIn: ['form'] }),
    feeType: choice('费用类型', feeType, { ...told, notIn: ['table', 'form', 'filter', 'sheet'] }),
    formulaType: choice('公式类型', formulaType, told),
    price: decimal('现行单价', { scale: 6, ...told }),
    priceFrom: day('生效日期', told),
    relations: int('关联', { wire: 'RelationCount', ...told }),
  },
)

export type FeeStandard = Row<typeof feeStandard>

/** A tier up to `to`; the last has none. */
export const tier = { to: decimal('至'), price: decimal('单价', { required: true, scale: 6, min: 0 }) }

/** What a standard costs from a day on. */
export const standardVersion = entity(
  'feeStandardVersion',
  '价格版本',
  {
    table: 'fee_standard_version',
    reach: 'company',
    title: 'effectiveDate',
    order: ['standardId', '-effectiveDate'],
  },
  {
    standardId: ref('标准', 'feeStandard', {
      required: true,
      fixed: true,
      wire: 'StandardID',
      notIn: ['table', 'form', 'filter'],
    }),
    effectiveDate: day('生效日期', { required: true }),
    endDate: day('失效日期'),
    price: decimal('单价', { scale: 6, min: 0, max: 99_999_999 }),
    extra: money('附加费', { min: 0 }),
    extraProrate: flag('附加费折算', { required: true, initial: false, notIn: ['table'] }),
    params: lines('参数值', named, { max: 40, wire: 'ParamJson', notIn: ['table', 'filter'] }),
    tiers: lines('阶梯', tier, { max: 20, wire: 'TierJson', notIn: ['table', 'filter'] }),
    tierBase: choice('阶梯口径', tierBase, aside),
    perHeadAdd: decimal('每人增量', { min: 0, ...aside }),
    headsFrom: int('起增人数', { min: 0, max: 100, ...aside }),
    reason: text('调价原因', { max: 200 }),
    used: flag('已出账', told),
  },
)

export type StandardVersion = Row<typeof standardVersion>

const {
  id: _,
  version: __,
  standardId: ___,
  effectiveDate,
  endDate: ____,
  createTime: _____,
  updateTime: ______,
  reason,
  used: _______,
  ...cost
} = standardVersion.fields

/** What one version says. In the first one the day may be left out: from ever. */
export const priced = {
  effectiveDate: { ...effectiveDate, required: false } as Field<string, false, 'day'>,
  ...cost,
  extraProrate: flag('附加费折算'),
}

export type Priced = ValueOf<typeof priced>

export const standardFilters = [
  'feeItemId',
  'formulaId',
  'cycleType',
  'chargeMode',
  'state',
  'createTime',
] as const

const draft = draftOf(feeStandard, ['state'])

/** Open bills that were made by a price that does not hold for their days any more (FEE-6). */
const outdated = { oldBills: int('按旧价格出的未缴账单', { min: 0, wire: 'OldPriceBills' }) }

export const listStandards = call({
  at: 'GET finance/v1/FeeStandard/Get',
  names: ['finance/v1/FeeStandard/GetPagedList', 'PropertyFeestandard/Get'],
  title: '查询收费标准',
  needs: everyone,
  input: search(feeStandard, standardFilters, { sourceType: choice('用于', sourceType) }),
  output: pageOf(feeStandard),
})

export const oneStandard = call({
  at: 'GET finance/v1/FeeStandard/GetOne',
  title: '查看收费标准',
  needs: menu.standard.may.view,
  input: byId,
  output: also(oneOf(feeStandard), outdated),
})

/** With its first price. */
export const addStandard = call({
  at: 'POST finance/v1/FeeStandard/Post',
  names: ['PropertyFeestandard/post'],
  title: '新增收费标准',
  needs: menu.standard.may.add,
  input: also(draft, priced),
  output: oneOf(feeStandard),
  affects: ['feeStandard', 'feeStandardVersion', 'feeItem', 'feeFormula'],
})

/** All but the price, which only a new version changes (FEE-6). */
export const editStandard = call({
  at: 'PUT finance/v1/FeeStandard/Put',
  names: ['PropertyFeestandard/put'],
  title: '编辑收费标准',
  needs: menu.standard.may.edit,
  input: draft,
  output: oneOf(feeStandard),
  affects: ['feeStandard'],
})

export const deleteStandards = call({
  at: 'DELETE finance/v1/FeeStandard/Delete',
  names: ['PropertyFeestandard/delete'],
  title: '删除收费标准',
  needs: menu.standard.may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['feeStandard', 'feeStandardVersion', 'feeItem', 'feeFormula'],
})

export const turnStandards = call({
  at: 'PUT finance/v1/FeeStandard/PutState',
  title: '启用或停用收费标准',
  needs: menu.standard.may.edit,
  input: turning,
  output: turned,
  affects: ['feeStandard'],
})

/** To other projects, under the same code; a project that has the code already is left as it is. */
export const copyStandards = call({
  at: 'POST finance/v1/FeeStandard/PostCopy',
  title: '复制收费标准到其他项目',
  needs: menu.standard.may.copy,
  input: shape({
    ids: byIdsWhy.fields.ids as Field<readonly string[], true, 'list'>,
    projects: list('项目', { required: true, max: 200, within: 'project', wire: 'ProjectCodes' }),
  }),
  output: bulk,
  affects: ['feeStandard', 'feeStandardVersion'],
})

export const listVersions = call({
  at: 'GET finance/v1/FeeStandard/GetVersions',
  title: '查询价格版本',
  needs: menu.standard.may.view,
  input: shape({ standardId: int('标准', { required: true, min: 1, wire: 'StandardID' }) }),
  output: manyOf(standardVersion),
})

/** 调价 (FEE-6): the version before ends the day before, one to come limits this one. */
export const changePrice = call({
  at: 'POST finance/v1/FeeStandard/PostVersion',
  title: '调价',
  needs: menu.standard.may.price,
  affects: ['feeStandard', 'feeStandardVersion'],
  input: shape({
    standardId: int('标准', { required: true, min: 1, wire: 'StandardID' }),
    ...priced,
    effectiveDate,
    reason,
  }),
  output: also(oneOf(standardVersion), outdated),
})

/** A version that no bill has used yet; the one before it holds on in its stead. */
export const deleteVersion = call({
  at: 'DELETE finance/v1/FeeStandard/DeleteVersion',
  title: '撤销调价',
  needs: menu.standard.may.price,
  input: shape({
    id: byId.fields.id as Field<number, true, 'int'>,
    reason: byIdsWhy.fields.reason as Field<string, true, 'text'>,
  }),
  output: nothing,
  affects: ['feeStandardVersion', 'feeStandard'],
})

/** 更正 (FEE-6): what was mistyped is put right for its own day while no bill was made by it; the day stays. */
export const correctVersion = call({
  at: 'PUT finance/v1/FeeStandard/PutVersion',
  title: '更正价格',
  needs: menu.standard.may.price,
  affects: ['feeStandard', 'feeStandardVersion'],
  input: shape({
    id: byId.fields.id as Field<number, true, 'int'>,
    version: int('版本号', { required: true, min: 1 }),
    ...cost,
    extraProrate: priced.extraProrate,
    reason: { ...byIdsWhy.fields.reason, label: '更正原因' } as Field<string, true, 'text'>,
  }),
  output: oneOf(standardVersion),
})

const project = estateOf<false>({ required: false })

/** In use for a place and kind of fee (FEE-9). */
export const standardsByScene = call({
  at: 'GET PropertyFeestandard/GetByScene',
  title: '按场景查询收费标准',
  needs: everyone,
  input: shape({
    projectCode: project,
    scene: choice('适用场景', scene),
    feeItemId: int('收费项目', { min: 1, wire: 'FeeItemID' }),
  }),
  output: manyOf(feeStandard),
})

/** What an object is charged by today. */
export const standardsOfSource = call({
  at: 'GET PropertyFeestandard/GetBySourceCode',
  title: '对象的收费标准',
  needs: menu.relation.may.view,
  input: shape({
    projectCode: project,
    sourceType: choice('对象类型', sourceType),
    sourceCode: text('对象编码', { required: true, max: 40 }),
  }),
  output: manyOf(feeStandard),
})
