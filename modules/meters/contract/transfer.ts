import { call } from '#kit/contract/call.ts'
import { choice, decimal, keyRef, month, text, type ValueOf } from '#kit/contract/field.ts'
import { blob, loosely, shape } from '#kit/contract/shape.ts'
import { sheetColumns, sheetOf } from '#kit/contract/sheet.ts'
import { exports, imports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { dayTimes, meterKind } from './choices.ts'
import { listMeters } from './device.ts'
import { meter, meterReading } from './meter.ts'
import { listReadings } from './reading.ts'

const m = meter.fields
const f = meterReading.fields
export const ofProject = { projectCode: estateOf<true>() }

const plain = <F extends object>(line: F): F =>
  Object.fromEntries(
    Object.entries(line).map(([k, x]) => [
      k,
      { ...(x as object), initial: undefined, notIn: undefined, fixed: undefined, derived: undefined },
    ]),
  ) as F

const meterLine = {
  meterNo: m.meterNo,
  meterKind: m.meterKind,
  ...loosely({ meterUse: m.meterUse }),
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋'] }),
  unitName: text('单元', { max: 20 }),
  roomNo: text('房号', { max: 20, synonyms: ['房间号', '室号'] }),
  areaCode: text('公共区域编码', { max: 40 }),
  ...loosely({
    multiple: m.multiple,
    digits: m.digits,
    decimals: m.decimals,
    initNum: m.initNum,
    installDate: m.installDate,
    isSmart: m.isSmart,
    deviceNo: m.deviceNo,
    nextVerifyDate: m.nextVerifyDate,
    location: m.location,
    remark: m.remark,
  }),
  parentNo: text('上级表号', { max: 30 }),
}

export type MeterLine = ValueOf<typeof meterLine>

export const meterSheet = sheetOf<MeterLine>(
  '仪表',
  { fields: plain(meterLine) },
  {
    keys: [
      'meterNo',
      'meterKind',
      'meterUse',
      'buildCode',
      'unitName',
      'roomNo',
      'areaCode',
      'multiple',
      'digits',
      'decimals',
      'initNum',
      'installDate',
      'isSmart',
      'deviceNo',
      'parentNo',
      'nextVerifyDate',
      'location',
      'remark',
    ],
    unique: ['meterNo'],
  },
)

export const importMeters = imports({
  at: 'POST PropertyMeter/PostImport',
  title: '导入仪表',
  needs: menu.meter.may.import,
  affects: ['meter'],
  more: ofProject,
})

export const exportMeters = exports({
  at: 'GET PropertyMeter/GetExport',
  title: '导出仪表',
  needs: menu.meter.may.export,
  of: listMeters,
})

export const meterColumns = sheetColumns(m, [
  'meterNo',
  'meterKind',
  'meterUse',
  'sourceName',
  'multiple',
  'digits',
  'initNum',
  'installDate',
  'isSmart',
  'deviceNo',
  'standardName',
  'nextVerifyDate',
  'location',
  'state',
  'remark',
])

const times = (Object.entries(dayTimes) as [keyof typeof dayTimes, string][]).map(
  ([k, name]) =>
    [
      k,
      decimal(name, {
        min: 0,
        max: 9_999_999_999,
        help: '分时表的本期止数',
        synonyms: [`${name}时`, `${name}段`, `${name}读数`, `${name}时读数`],
      }),
    ] as const,
)

const perTime = Object.fromEntries(times) as Record<keyof typeof dayTimes, (typeof times)[number][1]>

/**
 * What somebody fills in by hand: the meter, the month, the number, by time of day where the meter tells. The
 * rest is known.
 */
const readingLine = {
  meterNo: f.meterNo,
  month: f.month,
  readDate: f.readDate,
  curNum: f.curNum,
  ...perTime,
  ...loosely({ isRollover: f.isRollover, isEstimate: f.isEstimate, loss: f.loss, remark: f.remark }),
}

export type ReadingLine = ValueOf<typeof readingLine>

export const readingSheet = sheetOf<ReadingLine>(
  '抄表记录',
  { fields: plain(readingLine) },
  {
    keys: [
      'meterNo',
      'month',
      'readDate',
      'curNum',
      'sharp',
      'peak',
      'flat',
      'valley',
      'isRollover',
      'isEstimate',
      'loss',
      'remark',
    ],
    unique: ['meterNo', 'month'],
  },
)

export const importReadings = imports({
  at: 'POST Feemeterreading/PostImport',
  title: '导入抄表记录',
  needs: menu.reading.may.import,
  affects: ['meterReading'],
  more: ofProject,
})

export const exportReadings = exports({
  at: 'GET Feemeterreading/GetExportMeterReading',
  title: '导出抄表记录',
  needs: menu.reading.may.export,
  of: listReadings,
})

export const readingColumns = sheetColumns(f, [
  'meterNo',
  'meterKind',
  'sourceName',
  'month',
  'lastDate',
  'lastNum',
  'readDate',
  'curNum',
  'multiple',
  'loss',
  'usage',
  'isRollover',
  'isEstimate',
  'source',
  'anomalies',
  'confirmed',
  'billNo',
  'state',
  'remark',
])

/** The month's meters with their last numbers, to be filled in and imported again (IMP-7). */
export const monthSheet = call({
  at: 'GET Feemeterreading/GetMonthSheet',
  title: '下载抄表单',
  needs: menu.reading.may.export,
  input: shape({
    projectCode: estateOf<true>(),
    month: month('月份', { required: true }),
    buildCode: keyRef('楼栋', 'building', { within: 'building', wire: 'Buildcode' }),
    meterKind: choice('表类型', meterKind),
  }),
  output: blob,
})
