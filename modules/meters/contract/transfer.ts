import { call } from '#kit/contract/call.ts'
import { choice, decimal, keyRef, month, text, type Fields, type ValueOf } from '#kit/contract/field.ts'
import { fileResponse, partialFields, shape } from '#kit/contract/shape.ts'
import { sheetColumns, sheetSchemaOf } from '#kit/contract/sheet.ts'
import { declareExport, declareImport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { dayTimes, meterKind } from './choices.ts'
import { listMeters } from './meter-calls.ts'
import { meter, meterReading } from './meter.ts'
import { listReadings } from './reading.ts'

const meterFields = meter.fields
const readingFields = meterReading.fields
export const importProjectInput = { projectCode: estateField<true>() }

/** The fields of records without the flags that keep them off a sheet. */
const resetFieldFlags = (line: Fields): Fields =>
  Object.fromEntries(
    Object.entries(line).map(([k, x]) => [
      k,
      { ...x, initial: undefined, hiddenIn: undefined, immutable: undefined, derived: undefined },
    ]),
  )

const meterLine = {
  meterNo: meterFields.meterNo,
  meterKind: meterFields.meterKind,
  ...partialFields({ meterUse: meterFields.meterUse }),
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋'] }),
  unitName: text('单元', { max: 20 }),
  roomNo: text('房号', { max: 20, synonyms: ['房间号', '室号'] }),
  areaCode: text('公共区域编码', { max: 40 }),
  ...partialFields({
    multiple: meterFields.multiple,
    digits: meterFields.digits,
    decimals: meterFields.decimals,
    initNum: meterFields.initNum,
    installDate: meterFields.installDate,
    isSmart: meterFields.isSmart,
    deviceNo: meterFields.deviceNo,
    nextVerifyDate: meterFields.nextVerifyDate,
    location: meterFields.location,
    remark: meterFields.remark,
  }),
  parentNo: text('上级表号', { max: 30 }),
}

export type MeterLine = ValueOf<typeof meterLine>

export const meterSheet = sheetSchemaOf<MeterLine>(
  '仪表',
  { fields: resetFieldFlags(meterLine) },
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

export const importMeters = declareImport({
  route: 'POST PropertyMeter/PostImport',
  title: '导入仪表',
  needs: menu.meter.permissions.import,
  affects: ['meter'],
  extraInput: importProjectInput,
})

export const exportMeters = declareExport({
  route: 'GET PropertyMeter/GetExport',
  title: '导出仪表',
  needs: menu.meter.permissions.export,
  list: listMeters,
})

export const meterColumns = sheetColumns(meterFields, [
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

const dayTimeField = (name: string) =>
  decimal(name, {
    min: 0,
    max: 9_999_999_999,
    help: '分时表的本期止数',
    synonyms: [`${name}时`, `${name}段`, `${name}读数`, `${name}时读数`],
  })

const dayTimeFields = {
  sharp: dayTimeField(dayTimes.sharp),
  peak: dayTimeField(dayTimes.peak),
  flat: dayTimeField(dayTimes.flat),
  valley: dayTimeField(dayTimes.valley),
}

/** The columns to fill in: meter, month and number, by register where the meter has them. */
const readingLine = {
  meterNo: readingFields.meterNo,
  month: readingFields.month,
  readDate: readingFields.readDate,
  curNum: readingFields.curNum,
  ...dayTimeFields,
  ...partialFields({
    isRollover: readingFields.isRollover,
    isEstimate: readingFields.isEstimate,
    loss: readingFields.loss,
    remark: readingFields.remark,
  }),
}

export type ReadingLine = ValueOf<typeof readingLine>

export const readingSheet = sheetSchemaOf<ReadingLine>(
  '抄表记录',
  { fields: resetFieldFlags(readingLine) },
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

export const importReadings = declareImport({
  route: 'POST Feemeterreading/PostImport',
  title: '导入抄表记录',
  needs: menu.reading.permissions.import,
  affects: ['meterReading'],
  extraInput: importProjectInput,
})

export const exportReadings = declareExport({
  route: 'GET Feemeterreading/GetExportMeterReading',
  title: '导出抄表记录',
  needs: menu.reading.permissions.export,
  list: listReadings,
})

export const readingColumns = sheetColumns(readingFields, [
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
export const downloadMonthSheet = call({
  route: 'GET Feemeterreading/GetMonthSheet',
  title: '下载抄表单',
  needs: menu.reading.permissions.export,
  input: shape({
    projectCode: estateField<true>(),
    month: month('月份', { required: true }),
    buildCode: keyRef('楼栋', 'building', { dataDomain: 'building', wire: 'Buildcode' }),
    meterKind: choice('表类型', meterKind),
  }),
  output: fileResponse,
})
