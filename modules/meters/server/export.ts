import { PassThrough } from 'node:stream'
import { text } from '#kit/contract/field.ts'
import type { Blob } from '#kit/contract/shape.ts'
import { sheetColumns, sheetLimits, writeLine } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import { reads } from '#kit/server/handle.ts'
import { exportHandlers } from '#kit/server/sheets.ts'
import { writeWorkbook, xlsx } from '#kit/server/workbook/write.ts'
import { dayTimes } from '../contract/choices.ts'
import { meterFilters } from '../contract/device.ts'
import { meter, meterReading } from '../contract/meter.ts'
import { readingFilters } from '../contract/reading.ts'
import {
  exportMeters,
  exportReadings,
  meterColumns,
  monthSheet,
  readingColumns,
  readingSheet,
} from '../contract/transfer.ts'
import { meterWhere, plainMeter, type Ask as MeterAsk } from './device.ts'
import { places } from './grid.ts'
import { plainReading, readingWhere, type Ask } from './reading.ts'

export const meterExport = exportHandlers<MeterAsk>({
  kind: 'meters.meter',
  name: '仪表',
  calls: exportMeters,
  entity: meter,
  columns: meterColumns,
  query: (q, { today }) => ({
    q: plainMeter(q),
    find: { filters: meterFilters, where: meterWhere(q, today) },
  }),
})

export const readingExport = exportHandlers<Ask>({
  kind: 'meters.reading',
  name: '抄表记录',
  calls: exportReadings,
  entity: meterReading,
  columns: readingColumns,
  query: q => ({ q: plainReading(q), find: { filters: readingFilters, where: readingWhere(q) } }),
})

/** What stands before the columns that are filled in: only to be looked at, the import passes over it. */
const known = sheetColumns(
  {
    sourceName: meter.fields.sourceName,
    location: meter.fields.location,
    before: meterReading.fields.lastNum,
    beforeDay: meterReading.fields.lastDate,
  },
  ['sourceName', 'location', 'beforeDay', 'before'],
)

const knownTimes = sheetColumns({ times: text('上期分时') }, ['times'])

export const sheetHandlers = [
  reads(monthSheet, async (q, { db, scope, today }): Promise<Blob> => {
    const found = await places(db, scope, { ...q, show: 'left' }, sheetLimits.rows + 1)
    const out = new PassThrough()
    if (!found.length) return refuse(`${q.month} 没有待抄的仪表`)
    if (found.length > sheetLimits.rows)
      return refuse(`待抄的仪表超过 ${sheetLimits.rows} 只，请选择楼栋或表类型分次下载`)
    const byTime = found.some(p => p.registers?.length)
    const asked = [
      'meterNo',
      'month',
      'readDate',
      'curNum',
      ...(byTime ? Object.keys(dayTimes) : []),
      'isRollover',
      'isEstimate',
      'remark',
    ]
    const fill = readingSheet.columns.filter(c => asked.includes(c.key))
    const columns = [fill[0]!, ...known, ...(byTime ? knownTimes : []), ...fill.slice(1)].map(c => ({
      ...c,
      required: false,
    }))
    writeWorkbook(
      columns,
      [
        found.map(p =>
          writeLine(
            columns,
            {
              ...p,
              times: p.registers?.map(x => `${x.name} ${x.last}`).join('，'),
              month: q.month,
              readDate: today,
              curNum: undefined,
              isRollover: undefined,
              isEstimate: undefined,
              remark: undefined,
            },
            false,
          ),
        ),
      ],
      out,
      { sheetName: '抄表单' },
    ).catch(e => out.destroy(e as Error))
    return { name: `抄表单_${q.month}.xlsx`, type: xlsx, body: out }
  }),
]
