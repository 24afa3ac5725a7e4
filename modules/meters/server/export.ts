import { toError } from '#kit/domain/to-error.ts'
import { defined } from '#kit/domain/defined.ts'
import { PassThrough } from 'node:stream'
import { text } from '#kit/contract/field.ts'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { sheetColumns, sheetLimits, formatSheetRow } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import { reads } from '#kit/server/handler.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { writeWorkbook, xlsxMediaType } from '#kit/server/workbook/workbook-writer.ts'
import { dayTimes } from '../contract/choices.ts'
import { meterFilters } from '../contract/meter-calls.ts'
import { meter, meterReading } from '../contract/meter.ts'
import { readingFilters } from '../contract/reading.ts'
import {
  exportMeters,
  exportReadings,
  meterColumns,
  downloadMonthSheet,
  importReadings,
  readingColumns,
} from '../contract/transfer.ts'
import { meterConditions, toMeterColumnFilters, type MeterListInput } from './meter.ts'
import { findMeterMonths } from './month-grid.ts'
import { readingConditions, toReadingColumnFilters, type ReadingListInput } from './reading-filters.ts'

export const meterExport = exportHandlers<MeterListInput>({
  kind: 'meters.meter',
  name: '仪表',
  calls: exportMeters,
  entity: meter,
  columns: meterColumns,
  query: (q, { today }) => ({
    q: toMeterColumnFilters(q),
    find: { filters: meterFilters, where: meterConditions(q, today) },
  }),
})

export const readingExport = exportHandlers<ReadingListInput>({
  kind: 'meters.reading',
  name: '抄表记录',
  calls: exportReadings,
  entity: meterReading,
  columns: readingColumns,
  query: q => ({
    q: toReadingColumnFilters(q),
    find: { filters: readingFilters, where: readingConditions(q) },
  }),
})

/** Columns shown for information before those to fill in; the import ignores them. */
const knownColumns = sheetColumns(
  {
    sourceName: meter.fields.sourceName,
    location: meter.fields.location,
    before: meterReading.fields.lastNum,
    beforeDay: meterReading.fields.lastDate,
  },
  ['sourceName', 'location', 'beforeDay', 'before'],
)

const knownTimeColumns = sheetColumns({ times: text('上期分时') }, ['times'])

export const monthSheetHandlers = [
  reads(downloadMonthSheet, async (query, { db, scope, today }): Promise<FileResponse> => {
    const meterMonths = await findMeterMonths(db, scope, { ...query, show: 'unread' }, sheetLimits.rows + 1)
    const output = new PassThrough()
    if (!meterMonths.length) return refuse(`${query.month} 没有待抄的仪表`)
    if (meterMonths.length > sheetLimits.rows)
      return refuse(`待抄的仪表超过 ${sheetLimits.rows} 块，请选择楼栋或表类型分次下载`)
    const byTime = meterMonths.some(p => p.registers?.length)
    const fillKeys = [
      'meterNo',
      'month',
      'readDate',
      'curNum',
      ...(byTime ? Object.keys(dayTimes) : []),
      'isRollover',
      'isEstimate',
      'remark',
    ]
    const fill = importReadings.schema.columns.filter(c => fillKeys.includes(c.key))
    const columns = [
      defined(fill[0]),
      ...knownColumns,
      ...(byTime ? knownTimeColumns : []),
      ...fill.slice(1),
    ].map(c => ({
      ...c,
      required: false,
    }))
    writeWorkbook(
      columns,
      [
        meterMonths.map(plan =>
          formatSheetRow(columns, {
            ...plan,
            times: plan.registers?.map(x => `${x.name} ${x.last}`).join('，'),
            month: query.month,
            readDate: today,
            curNum: undefined,
            isRollover: undefined,
            isEstimate: undefined,
            remark: undefined,
          }),
        ),
      ],
      output,
      { sheetName: '抄表单' },
    ).catch((e: unknown) => output.destroy(toError(e)))
    return { name: `抄表单_${query.month}.xlsx`, type: xlsxMediaType, body: output }
  }),
]
