import { call } from '#kit/contract/call.ts'
import { crudImport, type SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { choice, decimal, keyRef, month, text } from '#kit/contract/field.ts'
import { fileResponse, shape } from '#kit/contract/shape.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { sheetPlaceFields } from '#modules/rooms/contract/sheet-place.ts'
import { menu } from '../module.ts'
import { dayTimeKeys, dayTimes, meterKind } from './choices.ts'
import { listMeters } from './meter-calls.ts'
import { meter, meterReading } from './meter.ts'
import { listReadings } from './reading.ts'

export const importMeters = crudImport(
  { entity: meter, path: 'PropertyMeter' },
  {
    needs: menu.meter.permissions.import,
    fields: {
      ...sheetPlaceFields(['房间号', '室号']),
      areaCode: text('公共区域编码', { max: 40 }),
      parentNo: text('上级表号', { max: 30 }),
    },
    columns: [
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

export type MeterLine = SheetLineOf<typeof importMeters>

export const exportMeters = declareExport({
  route: 'GET PropertyMeter/GetExport',
  title: '导出仪表',
  needs: menu.meter.permissions.export,
  list: listMeters,
})

export const meterColumns = sheetColumns(meter.fields, [
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

/** The columns to fill in: meter, month and number, by register where the meter has them. */
export const importReadings = crudImport(
  { entity: meterReading, path: 'Feemeterreading' },
  {
    needs: menu.reading.permissions.import,
    fields: {
      sharp: dayTimeField(dayTimes.sharp),
      peak: dayTimeField(dayTimes.peak),
      flat: dayTimeField(dayTimes.flat),
      valley: dayTimeField(dayTimes.valley),
    },
    columns: [
      'meterNo',
      'month',
      'readDate',
      'curNum',
      ...dayTimeKeys,
      'isRollover',
      'isEstimate',
      'loss',
      'remark',
    ],
    unique: ['meterNo', 'month'],
  },
)

export type ReadingLine = SheetLineOf<typeof importReadings>

export const exportReadings = declareExport({
  route: 'GET Feemeterreading/GetExportMeterReading',
  title: '导出抄表记录',
  needs: menu.reading.permissions.export,
  list: listReadings,
})

export const readingColumns = sheetColumns(meterReading.fields, [
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
