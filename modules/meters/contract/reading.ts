import { call } from '#kit/contract/call.ts'
import {
  choice,
  choiceTable,
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
  text,
  type ChoiceOf,
  type Fields,
  type ValueOf,
} from '#kit/contract/field.ts'
import {
  extendShape,
  bulkResult,
  byIdsWithReason,
  partialFields,
  recordOf,
  pageOf,
  pageOfRows,
  search,
  shape,
  singleValue,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { anomaly, meterKind, unreadReason } from './choices.ts'
import { meter, meterReading, register } from './meter.ts'

const readingFields = meterReading.fields
const meterFields = meter.fields

export const readingFilters = [
  'month',
  'meterKind',
  'buildCode',
  'readDate',
  'source',
  'anomalies',
  'isEstimate',
  'confirmed',
  'usage',
  'state',
] as const

/** `doubtful`: anomalous, to be confirmed before it is billed (MTR-8). */
export const searchReadings = search(meterReading, readingFilters, {
  doubtful: flag('待确认异常', { wire: 'Doubtful' }),
  meterId: int('仪表', { wire: 'MeterID', min: 1 }),
})

export const listReadings = call({
  route: 'GET Feemeterreading/Get',
  title: '查询抄表记录',
  needs: menu.reading.permissions.view,
  input: searchReadings,
  output: pageOf(meterReading),
})

/** One number as entered. Without a number an estimate is computed (MTR-13); without a month, the day's. */
export const readingEntry = {
  meterId: int('仪表', { wire: 'MeterID', min: 1 }),
  meterNo: text('表号', { max: 30 }),
  month: month('月份'),
  readDate: day('抄表日期', { required: true }),
  curNum: decimal('本期止数', { min: 0, max: 9_999_999_999 }),
  isRollover: flag('翻表'),
  isBase: flag('基准'),
  isEstimate: flag('估抄'),
  loss: decimal('损耗', { min: -9_999_999, max: 9_999_999 }),
  registers: readingFields.registers,
  photo: file('照片', { wire: 'PhotoUrl' }),
  remark: text('备注', { max: 200 }),
} satisfies Fields

export type Entry = ValueOf<typeof readingEntry>
const phoneInput = { phone: flag('手机录入', { wire: 'IsPhone' }) }

/** The same value on the same day again returns the existing reading (MTR-5). */
export const addReading = call({
  route: 'POST Feemeterreading/post',
  title: '录入读数',
  needs: menu.reading.permissions.add,
  input: shape({ ...readingEntry, ...phoneInput }),
  output: recordOf(meterReading),
  affects: ['meterReading'],
})

/** Each line is accepted or refused by itself; every fault comes back with its line number, from 1. */
export const addReadings = call({
  route: 'POST Feemeterreading/PostBatch',
  title: '批量录入读数',
  needs: menu.reading.permissions.add,
  affects: ['meterReading'],
  input: shape({ readings: lines('读数', readingEntry, { required: true, max: 1500, wire: 'Readings' }) }),
  output: shape({
    success: int('成功', { required: true }),
    fail: int('失败', { required: true }),
    skipped: int('已有', { required: true }),
    doubtful: int('异常', { required: true }),
    rows: lines(
      '问题',
      {
        line: int('行', { required: true }),
        meterNo: text('表号'),
        reason: text('原因', { required: true }),
      },
      { required: true },
    ),
  }),
})

export const editReading = call({
  route: 'PUT Feemeterreading/put',
  title: '修改读数',
  needs: menu.reading.permissions.edit,
  affects: ['meterReading'],
  input: shape({
    ...readingEntry,
    id: int('编号', { required: true, min: 1, wire: 'ID' }),
    version: int('版本'),
    curNum: readingFields.curNum,
  }),
  output: recordOf(meterReading),
})

export const deleteReadings = call({
  route: 'POST Feemeterreading/PostBatchDelete',
  title: '删除读数',
  needs: menu.reading.permissions.del,
  input: byIdsWithReason,
  output: bulkResult,
  affects: ['meterReading'],
})

export const deleteReadingsBySearch = call({
  route: 'POST Feemeterreading/DeleteBySearch',
  title: '按条件删除读数',
  needs: menu.reading.permissions.del,
  affects: ['meterReading'],
  input: extendShape(searchReadings, {
    expected: int('预计条数', { required: true, min: 1, wire: 'Count' }),
    reason: text('原因', { required: true, min: 2, max: 200 }),
  }),
  output: bulkResult,
})

/** MTR-10 */
export const clearMonthReadings = call({
  route: 'POST Feemeterreading/ClearMeterReadingByMonth',
  title: '清除月份读数',
  needs: menu.reading.permissions.clear,
  affects: ['meterReading'],
  input: shape({
    projectCode: estateField<true>(),
    month: month('月份', { required: true }),
    buildCodes: list('楼栋', { max: 200, wire: 'Buildcodes' }),
    meterKind: choices('表类型', meterKind),
    reason: text('原因', { required: true, min: 2, max: 200 }),
  }),
  output: shape({ removed: int('已清除', { required: true }), kept: int('已出账保留', { required: true }) }),
})

/** MTR-8: the number was checked and is right. */
export const confirmReadings = call({
  route: 'PUT Feemeterreading/PutConfirm',
  title: '确认异常读数',
  needs: menu.reading.permissions.confirm,
  input: byIdsWithReason,
  output: bulkResult,
  affects: ['meterReading'],
})

/** MTR-12; no value where the meter has neither a reading nor an initial number. */
export const getLastEndNumber = call({
  route: 'GET Feemeterreading/GetLastEndNumber',
  title: '上期止数',
  needs: menu.reading.permissions.view,
  input: shape({
    meterId: int('仪表', { wire: ['MeterID', 'ID'], min: 1 }),
    meterNo: text('表号', { max: 30 }),
  }),
  output: singleValue(decimal('止数')),
})

export const getLastEndNumberBeforeMonth = call({
  route: 'GET Feemeterreading/GetLastEndNumberByMeterNoAndMonth',
  title: '某月之前的止数',
  needs: menu.reading.permissions.view,
  input: shape({
    meterNo: text('表号', { required: true, max: 30 }),
    month: month('月份', { required: true }),
  }),
  output: singleValue(decimal('止数')),
})

/** A meter in a month: the reading before, the reading entered, and what the check while typing needs. */
const meterMonthFields = {
  meterId: int('仪表', { required: true, wire: 'MeterID' }),
  meterNo: meterFields.meterNo,
  meterKind: meterFields.meterKind,
  meterState: { ...meterFields.state, wire: 'MeterState' } as typeof meterFields.state,
  sourceName: meterFields.sourceName,
  buildCode: meterFields.buildCode,
  location: meterFields.location,
  multiple: meterFields.multiple,
  digits: meterFields.digits,
  decimals: meterFields.decimals,
  isSmart: meterFields.isSmart,
  before: decimal('上期止数', { wire: 'LastNum' }),
  beforeDay: day('上期日期', { wire: 'LastDate' }),
  afterEstimate: flag('上期为估抄', { required: true }),
  carried: decimal('换表前用量', { required: true }),
  /** Usages of the three periods before, newest first; the same month last year. */
  recent: list('近三期用量'),
  lastYear: decimal('去年同月用量'),
  readingId: int('抄表记录', { wire: 'ReadingID' }),
  version: int('版本'),
  ...partialFields({
    curNum: readingFields.curNum,
    readDate: readingFields.readDate,
    isRollover: readingFields.isRollover,
    isEstimate: readingFields.isEstimate,
    isBase: readingFields.isBase,
    loss: readingFields.loss,
    usage: readingFields.usage,
    source: readingFields.source,
    photo: readingFields.photo,
    confirmed: readingFields.confirmed,
    billNo: readingFields.billNo,
    remark: readingFields.remark,
    state: readingFields.state,
  }),
  anomalies: choices('异常', anomaly, { wire: 'AnomalyFlags' }),
  /**
   * Its registers by time of day: as read in the month, else as last read. `registersGoOn`: last read in the
   * reading right before, so that they must agree with the counter.
   */
  registers: lines('分时读数', { ...register, current: decimal('本期') }, { wire: 'RegistersJson' }),
  registersGoOn: flag('分时接上期', { required: true }),
  unread: choice('未抄原因', unreadReason, { wire: 'UnreadReason' }),
  unreadRemark: text('未抄说明'),
} satisfies Fields

export const gridFilter = choiceTable('MeterGridShow', '显示', {
  all: [0, '全部'],
  left: [1, '未抄'],
  read: [2, '已抄'],
  doubtful: [3, '异常'],
})

export type GridFilterKey = ChoiceOf<typeof gridFilter>

const gridInput = {
  projectCode: estateField<true>(),
  month: month('月份', { required: true }),
  planId: int('计划', { wire: 'PlanID', min: 1 }),
  buildCode: keyRef('楼栋', 'building', { dataDomain: 'building', wire: 'Buildcode' }),
  meterKind: choice('表类型', meterKind),
  show: choice('显示', gridFilter, { wire: 'Show' }),
  keyword: text('关键字', { wire: ['KeyWord', 'Keyword'], max: 100 }),
}

export type MeterMonth = ValueOf<typeof meterMonthFields>

/** The meters of a month in walking order, with what was read. */
export const listMonthGrid = call({
  route: 'GET Feemeterreading/GetMeterReadingByMonth',
  title: '某月抄表',
  needs: menu.reading.permissions.view,
  input: shape({
    ...gridInput,
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
  }),
  output: pageOfRows(meterMonthFields),
})

/** How many meters of the month are read, doubtful and billed. */
export const getMonthProgress = call({
  route: 'GET Feemeterreading/GetMonthCount',
  title: '某月抄表进度',
  needs: menu.reading.permissions.view,
  input: shape(gridInput),
  output: shape({
    total: int('应抄', { required: true }),
    read: int('已抄', { required: true }),
    doubtful: int('待确认', { required: true }),
    billed: int('已出账', { required: true }),
    begin: day('抄表期起'),
    end: day('抄表期止'),
    strict: flag('超期禁录'),
  }),
})

/** One meter in one month, with an estimate and the months before. */
export const getEntryContext = call({
  route: 'GET Feemeterreading/GetMeterReadingCom',
  title: '抄表录入资料',
  needs: menu.reading.permissions.view,
  input: shape({
    meterId: int('仪表', { wire: 'MeterID', min: 1 }),
    meterNo: text('表号', { max: 30 }),
    month: month('月份', { required: true }),
    readDate: day('抄表日期'),
  }),
  output: shape({
    ...meterMonthFields,
    estimate: decimal('估算止数'),
    history: lines(
      '历史',
      {
        month: readingFields.month,
        curNum: readingFields.curNum,
        readDate: readingFields.readDate,
        usage: readingFields.usage,
        isEstimate: readingFields.isEstimate,
        meterNo: meterFields.meterNo,
      },
      { required: true },
    ),
  }),
})
