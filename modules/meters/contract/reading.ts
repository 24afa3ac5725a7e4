import { call } from '#kit/contract/call.ts'
import {
  choices,
  day,
  decimal,
  file,
  flag,
  idOf,
  int,
  lines,
  list,
  month,
  text,
  type Fields,
  type ValueOf,
} from '#kit/contract/field.ts'
import {
  extendShape,
  bulkResult,
  byIdsWithReason,
  recordOf,
  pageOf,
  search,
  shape,
  singleValue,
  reasonField,
  recordIdField,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { meterKind } from './choices.ts'
import { meterReading } from './meter.ts'

const readingFields = meterReading.fields

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
  meterId: idOf('仪表', { wire: 'MeterID', min: 1 }),
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
  meterId: idOf('仪表', { wire: 'MeterID', min: 1 }),
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

/** Each line is accepted or refused separately; every fault comes back with its line number, from 1. */
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
    id: recordIdField,
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
    reason: reasonField,
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
    reason: reasonField,
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
    meterId: idOf('仪表', { wire: ['MeterID', 'ID'], min: 1 }),
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
