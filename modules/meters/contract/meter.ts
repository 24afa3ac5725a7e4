import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  day,
  decimal,
  file,
  flag,
  idOf,
  int,
  keyRef,
  lines,
  list,
  month,
  ref,
  text,
  lookup,
  systemChoice,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { buildingThrough, estateField, enabledState } from '#modules/estates/contract/estate.ts'
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

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const
const internalOnly = { immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const countRange = { min: 0, max: 9_999_999_999 } as const

/** Ids in a list are numbers. */
export const idRule = {
  name: 'ids',
  test: (s: string) => (/^\d{1,15}$/.test(s) ? undefined : '编号应为整数'),
}

/** What counts water, power, gas or heat of a room or a public area (MTR-1). */
export const meter = entity(
  'meter',
  '仪表',
  { table: 'meter', tenancy: 'project', title: 'meterNo', order: ['projectCode', 'sortKey', 'meterNo'] },
  {
    projectCode: estateField(),
    meterNo: text('表号', {
      required: true,
      max: 30,
      rule: rules.lettersDigits,
      searchable: true,
      synonyms: ['仪表编号', '表编号'],
    }),
    meterKind: choice('表类型', meterKind, { required: true }),
    meterUse: choice('用途', meterUse, { required: true, initial: 'household' }),
    sourceType: choice('对象类型', sourceType, { hiddenIn: ['table'] }),
    sourceCode: text('对象编码', { max: 40, ...hiddenInList, help: '房屋编码或公共区域编码' }),
    sourceName: text('安装对象', { max: 100, immutable: true, searchable: true, hiddenIn: ['form'] }),
    // The walking order of the place where it is installed.
    sortKey: text('次序', {
      max: 200,
      immutable: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
      wire: 'SortKey',
    }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'detail'],
    }),
    parentMeterId: ref('上级表', 'meter', { wire: 'ParentMeterID', ...hiddenInList }),
    multiple: decimal('倍率', { ...countRange, required: true, initial: '1' }),
    digits: int('位数', { min: 3, max: 9, ...hiddenInList, help: '整数位数，翻表时用' }),
    decimals: int('小数位', { required: true, initial: 2, min: 0, max: 4, ...hiddenInList }),
    initNum: decimal('初始读数', countRange),
    installDate: day('安装日期'),
    isSmart: flag('智能表', { required: true, initial: false }),
    deviceNo: text('设备号', { max: 30, ...hiddenInList }),
    prepayMode: choice('付费方式', prepayMode, { required: true, initial: 'after', ...hiddenInList }),
    standardId: ref('收费标准', 'feeStandard', { wire: 'StandardID', hiddenIn: ['table'] }),
    standardName: lookup('收费标准', 'standardId', 'name', { wire: 'StandardName' }),
    verifyDate: day('检定日期', { hiddenIn: ['table'] }),
    nextVerifyDate: day('下次检定'),
    location: text('位置', { max: 60 }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: choice('状态', meterState, { required: true, initial: 'active' }),
  },
)

export type Meter = Row<typeof meter>

/** When which meters are read, and by whom (MTR-16). */
export const meterPlan = entity(
  'meterPlan',
  '抄表计划',
  { table: 'meter_plan', tenancy: 'project', title: 'name', order: ['name'] },
  {
    projectCode: estateField(),
    name: text('名称', { required: true, max: 60, searchable: true, wire: 'PlanName' }),
    meterKind: choice('表类型', meterKind),
    buildCodes: list('楼栋', {
      max: 200,
      wire: 'Buildcodes',
      ...hiddenInList,
      help: '不选为整个项目',
      dataDomain: 'building',
      target: 'building',
      targetBy: 'key',
    }),
    readDay: int('抄表日', { required: true, min: 1, max: 31 }),
    windowDays: int('持续天数', { required: true, initial: 5, min: 1, max: 31 }),
    readerIds: list('抄表员', {
      max: 50,
      rule: idRule,
      wire: 'ReaderIDs',
      ...hiddenInList,
      target: 'manager',
    }),
    strict: flag('超期禁录', { required: true, initial: false }),
    beginMonth: month('起', { required: true }),
    endMonth: month('止'),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    total: int('应抄', { derived: true, hiddenIn: ['form', 'filter', 'sheet'], wire: 'TotalCount' }),
    read: int('已抄', { derived: true, hiddenIn: ['form', 'filter', 'sheet'], wire: 'ReadCount' }),
  },
)

export type MeterPlan = Row<typeof meterPlan>

/** One register of a reading (MTR-15); a price of 0 means the standard's. */
export const register = {
  name: text('时段', { required: true, max: 10 }),
  last: decimal('上期', { required: true }),
  current: decimal('本期', { required: true }),
  price: decimal('单价', { required: true, scale: 6, min: 0 }),
}

/** A number read off a meter on a day, and the usage since the reading before (MTR-2 to MTR-9). */
export const meterReading = entity(
  'meterReading',
  '抄表记录',
  { table: 'meter_reading', tenancy: 'project', title: 'meterNo', order: ['-readDate', '-id'] },
  {
    projectCode: estateField(),
    meterId: ref('仪表', 'meter', {
      required: true,
      immutable: true,
      wire: 'MeterID',
      hiddenIn: ['table', 'filter'],
    }),
    meterNo: text('表号', { required: true, max: 30, immutable: true, searchable: true, hiddenIn: ['form'] }),
    meterKind: choice('表类型', meterKind, { required: true, immutable: true, hiddenIn: ['form'] }),
    sourceName: lookup('安装对象', 'meterId', 'sourceName', { wire: 'SourceName' }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'detail'],
    }),
    month: month('月份', { required: true }),
    lastNum: decimal('上期止数', { ...countRange, immutable: true }),
    curNum: decimal('本期止数', { ...countRange, required: true, synonyms: ['本期读数', '读数'] }),
    lastDate: day('上期日期', { immutable: true, hiddenIn: ['filter'] }),
    readDate: day('抄表日期', { required: true }),
    isRollover: flag('翻表', { required: true, initial: false, hiddenIn: ['filter'] }),
    isBase: flag('基准', { required: true, initial: false, hiddenIn: ['table', 'filter'] }),
    isEstimate: flag('估抄', { required: true, initial: false }),
    multiple: decimal('倍率', { ...countRange, required: true, immutable: true, ...hiddenInList }),
    loss: decimal('损耗', { initial: '0', required: true, hiddenIn: ['filter'] }),
    usage: decimal('用量', { immutable: true }),
    replacedUsage: decimal('换表前用量', { required: true, initial: '0', immutable: true, ...hiddenInList }),
    registers: lines('分时读数', register, { max: 4, wire: 'RegistersJson', ...hiddenInList }),
    photo: file('照片', { wire: 'PhotoUrl', hiddenIn: ['table', 'filter', 'sheet'] }),
    readerId: idOf('抄表员', { min: 1, wire: 'ReaderID', hiddenIn: ['table', 'filter', 'sheet'] }),
    source: systemChoice('来源', readingSource, 'office'),
    anomalies: choices('异常', anomaly, { immutable: true, wire: 'AnomalyFlags', hiddenIn: ['form'] }),
    confirmed: flag('已确认', {
      required: true,
      initial: false,
      immutable: true,
      hiddenIn: ['form', 'table'],
    }),
    billId: ref('账单', 'bill', { ...internalOnly, wire: 'BillID' }),
    billNo: text('账单号', { max: 30, immutable: true, hiddenIn: ['form', 'filter'] }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: systemChoice('状态', readingState, 'open', { struckOut: ['abolished'] }),
  },
)

export type MeterReading = Row<typeof meterReading>

/** A meter that was replaced by a new one (MTR-11). */
export const meterReplace = entity(
  'meterReplace',
  '换表记录',
  { table: 'meter_replace', tenancy: 'project', title: 'newMeterNo', order: ['-id'] },
  {
    projectCode: estateField(),
    meterId: ref('原表', 'meter', { required: true, wire: 'MeterID' }),
    buildCode: buildingThrough('meterId'),
    oldEndNum: decimal('旧表止数', { ...countRange, required: true }),
    newMeterNo: text('新表号', { required: true, max: 30, rule: rules.lettersDigits, searchable: true }),
    newMeterId: ref('新表', 'meter', {
      required: true,
      immutable: true,
      wire: 'NewMeterID',
      hiddenIn: ['form', 'table'],
    }),
    newInitNum: decimal('新表起数', { ...countRange, required: true }),
    newMultiple: decimal('新倍率', { ...countRange, required: true }),
    replaceDate: day('换表日期', { required: true }),
    // Usage of the old meter since its last reading, and that reading's day: the new meter's first reading
    // takes both over.
    oldUsage: decimal('旧表用量', { required: true, immutable: true, hiddenIn: ['form'] }),
    since: day('上期日期', { immutable: true, hiddenIn: ['form', 'filter'] }),
    reason: text('原因', { required: true, max: 200, searchable: true }),
  },
)

export type MeterReplace = Row<typeof meterReplace>
