import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  int,
  lines,
  money,
  ref,
  text,
  lookup,
  type Day,
  type Field,
  type ValueOf,
  systemChoice,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { estateField, enabledState } from '#modules/estates/contract/estate.ts'
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
  startRule,
  tierBase,
} from './choices.ts'
import { namedValue } from './formula.ts'
import { lateRate } from './item.ts'

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const

const derivedOnly = { derived: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

/** An item by a formula for a project: cycle, rounding, due day; its prices are versions (FEE-6). */
export const feeStandard = entity(
  'feeStandard',
  '收费标准',
  { table: 'fee_standard', tenancy: 'project', title: 'name', order: ['feeItemId', 'code'] },
  {
    projectCode: estateField<true>({ wire: ['Projectcode', 'ProjectCode'] }),
    code: text('编码', {
      required: true,
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      wire: 'StandardCode',
      help: '复制到其他项目时按编码对应',
    }),
    name: text('名称', {
      required: true,
      max: 60,
      searchable: true,
      wire: 'StandardName',
      synonyms: ['收费标准'],
    }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      immutable: true,
      wire: 'FeeItemID',
      hiddenIn: ['table'],
    }),
    feeItemName: lookup('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName' }),
    formulaId: ref('公式', 'feeFormula', {
      required: true,
      immutable: true,
      wire: 'FormulaID',
      hiddenIn: ['table'],
    }),
    formulaName: lookup('公式', 'formulaId', 'name', { wire: 'FormulaName' }),
    areaKind: choice('面积口径', areaKind, hiddenInList),
    quantityKind: choice('数量口径', quantityKind, { wire: 'QtyKind', ...hiddenInList }),
    usageUnit: text('计量单位', { max: 10, ...hiddenInList }),
    cycleType: choice('账期方式', cycleType, { required: true, initial: 'natural' }),
    cycleMonths: int('周期月数', {
      required: true,
      initial: 1,
      min: 1,
      max: 12,
      help: '1、2、3、4、6 或 12',
    }),
    alignYear: flag('按年对齐', { required: true, initial: true, ...hiddenInList }),
    chargeMode: choice('收费方式', chargeMode, { required: true, initial: 'ahead' }),
    startRule: choice('起收规则', startRule, { required: true, initial: 'fixedDate', ...hiddenInList }),
    prorateMode: choice('不足月规则', prorateMode, { required: true, initial: 'actual', ...hiddenInList }),
    advanceDays: int('提前出账天数', { required: true, initial: 0, min: 0, max: 366, ...hiddenInList }),
    delayDays: int('延后出账天数', { required: true, initial: 0, min: 0, max: 366, ...hiddenInList }),
    dueBase: choice('应缴日基准', dueBase, { required: true, initial: 'begin', ...hiddenInList }),
    dueDays: int('应缴天数', {
      required: true,
      initial: 30,
      min: 0,
      max: 366,
      help: '按每月固定日计费时填写日期',
      ...hiddenInList,
    }),
    dueSkipHoliday: flag('节假日顺延', { required: true, initial: false, ...hiddenInList }),
    roundType: choice('舍入', roundType, { required: true, initial: 'halfUp', ...hiddenInList }),
    roundUnit: choice('精度', roundUnit, { required: true, initial: 'fen', ...hiddenInList }),
    minAmount: money('最低', { min: 0, ...hiddenInList }),
    maxAmount: money('最高', { min: 0, ...hiddenInList }),
    endDate: day('停用日期', { hiddenIn: ['table'] }),
    tiersStretch: flag('阶梯随账期放大', { required: true, initial: true, ...hiddenInList }),
    lateFeeSwitch: flag('启用违约金', { ...hiddenInList, help: '不选时按收费项目' }),
    lateRates: lines('日费率', lateRate, { max: 20, ...hiddenInList }),
    graceDays: int('宽限天数', { min: 0, max: 365, ...hiddenInList }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: systemChoice('状态', enabledState, 'on'),
    feeType: choice('费用类型', feeType, { ...derivedOnly, hiddenIn: ['table', 'form', 'filter', 'sheet'] }),
    formulaType: choice('公式类型', formulaType, derivedOnly),
    price: decimal('现行单价', { scale: 6, ...derivedOnly }),
    priceFrom: day('生效日期', derivedOnly),
    relations: int('关联', { wire: 'RelationCount', ...derivedOnly }),
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
    tenancy: 'company',
    title: 'effectiveDate',
    order: ['standardId', '-effectiveDate'],
  },
  {
    standardId: ref('标准', 'feeStandard', {
      required: true,
      immutable: true,
      wire: 'StandardID',
      hiddenIn: ['table', 'form', 'filter'],
    }),
    effectiveDate: day('生效日期', { required: true }),
    endDate: day('失效日期'),
    price: decimal('单价', { scale: 6, min: 0, max: 99_999_999 }),
    extra: money('附加费', { min: 0 }),
    extraProrate: flag('附加费折算', { required: true, initial: false, hiddenIn: ['table'] }),
    params: lines('参数值', namedValue, { max: 40, wire: 'ParamJson', hiddenIn: ['table', 'filter'] }),
    tiers: lines('阶梯', tier, { max: 20, wire: 'TierJson', hiddenIn: ['table', 'filter'] }),
    tierBase: choice('阶梯口径', tierBase, hiddenInList),
    perHeadAdd: decimal('每人增量', { min: 0, ...hiddenInList }),
    headsFrom: int('起增人数', { min: 0, max: 100, ...hiddenInList }),
    reason: text('调价原因', { max: 200 }),
    used: flag('已出账', derivedOnly),
  },
)

export type StandardVersion = Row<typeof standardVersion>

const {
  id: _id,
  version: _version,
  standardId: _standardId,
  effectiveDate,
  endDate: _endDate,
  createTime: _createTime,
  updateTime: _updateTime,
  reason: _reason,
  used: _used,
  ...costs
} = standardVersion.fields

/** What a version costs, without its days. */
export const costFields = costs

/** A version as it is entered. The first one's day may be left out: it holds from the beginning. */
export const priceFields = {
  effectiveDate: { ...effectiveDate, required: false } as Field<Day, false, 'day'>,
  ...costs,
  extraProrate: flag('附加费折算'),
}

export type PriceInput = ValueOf<typeof priceFields>

export const standardFilters = [
  'feeItemId',
  'formulaId',
  'cycleType',
  'chargeMode',
  'state',
  'createTime',
] as const
