import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  day,
  decimal,
  file,
  flag,
  int,
  keyRef,
  lines,
  list,
  month,
  ref,
  text,
  through,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { estateOf, inUse } from '#modules/estates/contract/estate.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import {
  anomaly,
  meterKind,
  meterState,
  meterUse,
  prepayMode,
  readingSource,
  readingState,
} from './choices.ts'

const aside = { notIn: ['table', 'filter'] } as const
const inside = { fixed: true, notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const least = { min: 0, max: 9_999_999_999 } as const

/** Ids in a list are numbers. */
export const idRule = {
  name: 'ids',
  test: (s: string) => (/^\d{1,15}$/.test(s) ? undefined : '编号应为整数'),
}

/** What counts water, power, gas or heat of a room or a public area (MTR-1). */
export const meter = entity(
  'meter',
  '仪表',
  { table: 'meter', reach: 'project', title: 'meterNo', order: ['projectCode', 'sortKey', 'meterNo'] },
  {
    projectCode: estateOf(),
    meterNo: text('表号', {
      required: true,
      max: 30,
      rule: rules.lettersDigits,
      sought: true,
      synonyms: ['仪表编号', '表编号'],
    }),
    meterKind: choice('表类型', meterKind, { required: true }),
    meterUse: choice('用途', meterUse, { required: true, initial: 'household' }),
    sourceType: choice('对象类型', sourceType, { notIn: ['table'] }),
    sourceCode: text('对象编码', { max: 40, ...aside, help: '房屋编码或公共区域编码' }),
    sourceName: text('安装对象', { max: 100, fixed: true, sought: true, notIn: ['form'] }),
    // Where it hangs, in the order in which somebody walks the rooms.
    sortKey: text('次序', {
      max: 200,
      fixed: true,
      notIn: ['table', 'form', 'filter', 'sheet', 'detail'],
      wire: 'SortKey',
    }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      fixed: true,
      notIn: ['table', 'form', 'detail'],
    }),
    parentMeterId: ref('上级表', 'meter', { wire: 'ParentMeterID', ...aside }),
    multiple: decimal('倍率', { ...least, required: true, initial: '1' }),
    digits: int('位数', { min: 3, max: 9, ...aside, help: '整数位数，翻表时用' }),
    decimals: int('小数位', { required: true, initial: 2, min: 0, max: 4, ...aside }),
    initNum: decimal('初始读数', least),
    installDate: day('安装日期'),
    isSmart: flag('智能表', { required: true, initial: false }),
    deviceNo: text('设备号', { max: 30, ...aside }),
    prepayMode: choice('付费方式', prepayMode, { required: true, initial: 'after', ...aside }),
    standardId: ref('收费标准', 'feeStandard', { wire: 'StandardID', notIn: ['table'] }),
    standardName: through('收费标准', 'standardId', 'name', { wire: 'StandardName' }),
    verifyDate: day('检定日期', { notIn: ['table'] }),
    nextVerifyDate: day('下次检定'),
    location: text('位置', { max: 60 }),
    remark: text('备注', { max: 200, ...aside }),
    state: choice('状态', meterState, { required: true, initial: 'active' }),
  },
)

export type Meter = Row<typeof meter>

/** When which meters are read, and by whom (MTR-16). */
export const meterPlan = entity(
  'meterPlan',
  '抄表计划',
  { table: 'meter_plan', reach: 'project', title: 'name', order: ['name'] },
  {
    projectCode: estateOf(),
    name: text('名称', { required: true, max: 60, sought: true, wire: 'PlanName' }),
    meterKind: choice('表类型', meterKind),
    buildCodes: list('楼栋', { max: 200, wire: 'Buildcodes', ...aside, help: '不选为整个项目' }),
    readDay: int('抄表日', { required: true, min: 1, max: 31 }),
    windowDays: int('持续天数', { required: true, initial: 5, min: 1, max: 31 }),
    readerIds: list('抄表员', { max: 50, wire: 'ReaderIDs', ...aside }),
    strict: flag('超期禁录', { required: true, initial: false }),
    beginMonth: month('起', { required: true }),
    endMonth: month('止'),
    remark: text('备注', { max: 200, ...aside }),
    state: choice('状态', inUse, { required: true, initial: 'on' }),
    total: int('应抄', { derived: true, notIn: ['form', 'filter', 'sheet'], wire: 'TotalCount' }),
    read: int('已抄', { derived: true, notIn: ['form', 'filter', 'sheet'], wire: 'ReadCount' }),
  },
)

export type MeterPlan = Row<typeof meterPlan>

/** What one time of day showed (MTR-15); a price of nought is the standard's. */
export const register = {
  name: text('时段', { required: true, max: 10 }),
  last: decimal('上期', { required: true }),
  current: decimal('本期', { required: true }),
  price: decimal('单价', { required: true, scale: 6, min: 0 }),
}

/** What a meter showed on a day, and what it counted since the reading before (MTR-2 to MTR-9). */
export const meterReading = entity(
  'meterReading',
  '抄表记录',
  { table: 'meter_reading', reach: 'project', title: 'meterNo', order: ['-readDate', '-id'] },
  {
    projectCode: estateOf(),
    meterId: ref('仪表', 'meter', {
      required: true,
      fixed: true,
      wire: 'MeterID',
      notIn: ['table', 'filter'],
    }),
    meterNo: text('表号', { required: true, max: 30, fixed: true, sought: true, notIn: ['form'] }),
    meterKind: choice('表类型', meterKind, { required: true, fixed: true, notIn: ['form'] }),
    sourceName: through('安装对象', 'meterId', 'sourceName', { wire: 'SourceName' }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      fixed: true,
      notIn: ['table', 'form', 'detail'],
    }),
    month: month('月份', { required: true }),
    lastNum: decimal('上期止数', { ...least, fixed: true }),
    curNum: decimal('本期止数', { ...least, required: true, synonyms: ['本期读数', '读数'] }),
    lastDate: day('上期日期', { fixed: true, notIn: ['filter'] }),
    readDate: day('抄表日期', { required: true }),
    isRollover: flag('翻表', { required: true, initial: false, notIn: ['filter'] }),
    isBase: flag('基准', { required: true, initial: false, notIn: ['table', 'filter'] }),
    isEstimate: flag('估抄', { required: true, initial: false }),
    multiple: decimal('倍率', { ...least, required: true, fixed: true, ...aside }),
    loss: decimal('损耗', { initial: '0', required: true, notIn: ['filter'] }),
    usage: decimal('用量', { fixed: true }),
    replacedUsage: decimal('换表前用量', { required: true, initial: '0', fixed: true, ...aside }),
    registers: lines('分时读数', register, { max: 4, wire: 'RegistersJson', ...aside }),
    photo: file('照片', { wire: 'PhotoUrl', notIn: ['table', 'filter', 'sheet'] }),
    readerId: int('抄表员', { min: 1, wire: 'ReaderID', notIn: ['table', 'filter', 'sheet'] }),
    source: choice('来源', readingSource, {
      required: true,
      initial: 'office',
      fixed: true,
      notIn: ['form'],
    }),
    anomalies: choices('异常', anomaly, { fixed: true, wire: 'AnomalyFlags', notIn: ['form'] }),
    confirmed: flag('已确认', { required: true, initial: false, fixed: true, notIn: ['form', 'table'] }),
    billId: ref('账单', 'bill', { ...inside, wire: 'BillID' }),
    billNo: text('账单号', { max: 30, fixed: true, notIn: ['form', 'filter'] }),
    remark: text('备注', { max: 200, ...aside }),
    state: choice('状态', readingState, { required: true, initial: 'open', fixed: true, notIn: ['form'] }),
  },
)

export type MeterReading = Row<typeof meterReading>

/** An old meter gave way to a new one (MTR-11). */
export const meterReplace = entity(
  'meterReplace',
  '换表记录',
  { table: 'meter_replace', reach: 'project', title: 'newMeterNo', order: ['-id'] },
  {
    projectCode: estateOf(),
    meterId: ref('原表', 'meter', { required: true, wire: 'MeterID' }),
    oldEndNum: decimal('旧表止数', { ...least, required: true }),
    newMeterNo: text('新表号', { required: true, max: 30, rule: rules.lettersDigits }),
    newMeterId: ref('新表', 'meter', {
      required: true,
      fixed: true,
      wire: 'NewMeterID',
      notIn: ['form', 'table'],
    }),
    newInitNum: decimal('新表起数', { ...least, required: true }),
    newMultiple: decimal('新倍率', { ...least, required: true }),
    replaceDate: day('换表日期', { required: true }),
    // What the old meter counted since its last reading, and that reading's day: the new meter's first
    // reading takes both over.
    oldUsage: decimal('旧表用量', { required: true, fixed: true, notIn: ['form'] }),
    since: day('上期日期', { fixed: true, notIn: ['form', 'filter'] }),
    reason: text('原因', { required: true, max: 200 }),
  },
)

export type MeterReplace = Row<typeof meterReplace>
