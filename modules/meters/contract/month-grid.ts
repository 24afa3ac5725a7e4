import { call } from '#kit/contract/call.ts'
import {
  choice,
  choiceTable,
  choices,
  day,
  decimal,
  flag,
  idOf,
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
import { partialFields, pageOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { anomaly, meterKind, unreadReason } from './choices.ts'
import { meter, meterReading, register } from './meter.ts'

const meterFields = meter.fields
const readingFields = meterReading.fields

/** A meter in a month: the reading before, the reading entered, and what the check while typing needs. */
export const meterMonthFields = {
  meterId: idOf('仪表', { required: true, wire: 'MeterID' }),
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
  readingId: idOf('抄表记录', { wire: 'ReadingID' }),
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
  unread: [1, '未抄'],
  read: [2, '已抄'],
  doubtful: [3, '异常'],
})

export type GridFilterKey = ChoiceOf<typeof gridFilter>

const gridInput = {
  projectCode: estateField<true>(),
  month: month('月份', { required: true }),
  planId: idOf('计划', { wire: 'PlanID', min: 1 }),
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

export const readingHistoryFields = {
  month: readingFields.month,
  curNum: readingFields.curNum,
  readDate: readingFields.readDate,
  usage: readingFields.usage,
  isEstimate: readingFields.isEstimate,
  meterNo: meterFields.meterNo,
}

/** One meter in one month, with an estimate and the months before. */
export const getEntryContext = call({
  route: 'GET Feemeterreading/GetMeterReadingCom',
  title: '抄表录入资料',
  needs: menu.reading.permissions.view,
  input: shape({
    meterId: idOf('仪表', { wire: 'MeterID', min: 1 }),
    meterNo: text('表号', { max: 30 }),
    month: month('月份', { required: true }),
    readDate: day('抄表日期'),
  }),
  output: shape({
    ...meterMonthFields,
    estimate: decimal('估算止数'),
    history: lines('历史', readingHistoryFields, { required: true }),
  }),
})
