import { call } from '#kit/contract/call.ts'
import { choices, decimal, idOf, int, list, month, text } from '#kit/contract/field.ts'
import { fileResponse, pageOfRows, listOfRows, shape, omitFields } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { meterKind } from './choices.ts'
import { meter, meterReading } from './meter.ts'

const reportInput = {
  projectCode: estateField<true>(),
  fromMonth: month('月份起', { required: true, wire: 'MonthFrom' }),
  toMonth: month('月份止', { required: true, wire: 'MonthTo' }),
  meterKind: choices('表类型', meterKind),
  buildCodes: list('楼栋', {
    max: 200,
    wire: 'Buildcodes',
    dataDomain: 'building',
    target: 'building',
    targetBy: 'key',
  }),
}

const requiredInt = (label: string) => int(label, { required: true })

/**
 * By month, building and kind: how many meters, how many read, how much was used and how much of that is
 * billed.
 */
export const getMeterReport = call({
  route: 'GET Feemeterreading/GetReport',
  title: '抄表报表',
  needs: menu.reading.permissions.view,
  input: shape(reportInput),
  output: listOfRows({
    month: meterReading.fields.month,
    buildCode: text('楼栋编码', { wire: 'Buildcode' }),
    buildName: text('楼栋', { wire: 'BuildName' }),
    meterKind: meter.fields.meterKind,
    meters: requiredInt('应抄'),
    read: requiredInt('已抄'),
    estimated: requiredInt('估抄'),
    doubtful: requiredInt('待确认'),
    usage: decimal('用量', { required: true }),
    billed: decimal('已出账用量', { required: true, wire: 'BilledUsage' }),
  }),
})

const detailRow = {
  meterId: idOf('仪表', { required: true, wire: 'MeterID' }),
  meterNo: meter.fields.meterNo,
  meterKind: meter.fields.meterKind,
  sourceName: meter.fields.sourceName,
  buildName: text('楼栋', { wire: 'BuildName' }),
  lastNum: decimal('期初止数'),
  curNum: decimal('期末止数', { required: true }),
  times: requiredInt('抄表次数'),
  usage: decimal('用量', { required: true }),
  before: decimal('上一期间用量', { wire: 'BeforeUsage' }),
  change: decimal('环比', { scale: 2, unit: '%' }),
}

/** Each meter over the months, and its usage in the equally long span before. */
export const listReportDetail = call({
  route: 'GET Feemeterreading/GetReportDetail',
  title: '抄表报表明细',
  needs: menu.reading.permissions.view,
  input: shape({
    ...reportInput,
    keyword: text('关键字', { wire: ['KeyWord', 'Keyword'], max: 100 }),
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
  }),
  output: pageOfRows(detailRow, { sums: ['usage'] }),
})

export const reportDetailFields = detailRow

export const exportReport = call({
  route: 'GET Feemeterreading/GetExport',
  title: '导出抄表报表明细',
  needs: menu.reading.permissions.export,
  input: omitFields(listReportDetail.input, ['page', 'size']),
  output: fileResponse,
})
