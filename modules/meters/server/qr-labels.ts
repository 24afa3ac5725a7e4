import { parseId } from '#kit/domain/id.ts'
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { labelOf } from '#kit/contract/field.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { writeDiskFile } from '#kit/server/disk-file.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Database, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { defineJob } from '#kit/server/jobs.ts'
import { createPdf, drawQr, fitText, openPdf, type PdfDocument, type PdfOptions } from '#kit/server/pdf.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { maxDirectLabels, meterFilters, printLabels, startLabels } from '../contract/meter-calls.ts'
import { meterKind } from '../contract/choices.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { meterConditions, toMeterColumnFilters } from './meter.ts'

const maxLabels = 3000

/** Three labels across and eight down an A4 sheet, in points. */
const labelGrid = { across: 3, down: 8, left: 22, top: 26, width: 184, height: 99, qr: 88 } as const

/**
 * The content of the QR code: the address of the phone screen for this meter; without an address, its project
 * and number.
 */
export const buildLabelText = (
  address: string | undefined,
  meterRow: Pick<Meter, 'projectCode' | 'meterNo'>,
): string =>
  address
    ? `${address}/intelligentMeter/checkmeter/mobilemeterreading?project=${encodeURIComponent(meterRow.projectCode)}&meter=${encodeURIComponent(meterRow.meterNo)}`
    : `${meterRow.projectCode}/${meterRow.meterNo}`

function drawLabel(paper: PdfDocument, meterRow: Meter, index: number, address: string | undefined): void {
  const { across, down, left, top, width, height, qr } = labelGrid
  const cellIndex = index % (across * down)
  if (index > 0 && cellIndex === 0) {
    paper.addPage()
  }
  const x = left + (cellIndex % across) * width
  const y = top + Math.floor(cellIndex / across) * height
  const textX = x + qr + 4
  const textWidth = width - qr - 10
  paper
    .lineWidth(0.5)
    .dash(2, { space: 2 })
    .rect(x, y, width - 4, height - 4)
    .stroke('#bbb')
    .undash()
  drawQr(paper, buildLabelText(address, meterRow), x + 3, y + 4, qr)
  const line = (text: string, dy: number, size: number, weight: 'plain' | 'bold', color: string): void => {
    paper.font(weight).fontSize(size).fillColor(color)
    paper.text(fitText(paper, text, textWidth), textX, y + dy, { lineBreak: false })
  }
  line(`${labelOf(meterKind, meterRow.meterKind)}表`, 10, 9, 'plain', '#555')
  line(meterRow.meterNo, 24, 12, 'bold', '#000')
  line(meterRow.sourceName ?? '', 44, 10, 'plain', '#000')
  line(meterRow.location ?? '', 59, 8, 'plain', '#555')
  line(meterRow.multiple === '1' ? '' : `倍率 ${meterRow.multiple}`, 73, 8, 'plain', '#555')
}

type LabelQuery = NonNullable<typeof printLabels.input.T>

/** The meters of a query, in the order of the list; refuses none and too many. */
async function findLabelled(db: Db, scope: Scope, today: Day, query: LabelQuery): Promise<Meter[]> {
  const { ids, address: _address, ...filter } = query
  const found = await findAll(
    db,
    meter,
    scope,
    { ...toMeterColumnFilters(filter), order: 'sortKey,meterNo' },
    {
      filters: meterFilters,
      where: [
        ...meterConditions(filter, today),
        ...(ids?.length ? [sql`t.id = any(${ids.map(parseId)})`] : []),
      ],
      limit: maxLabels + 1,
    },
  )
  if (!found.length) refuse('无符合条件的仪表，请调整筛选条件')
  if (found.length > maxLabels) refuse(`一次最多打印 ${maxLabels} 张标签，请缩小筛选范围`)
  return found
}

const sheetOf = (today: Day): PdfOptions => ({
  name: `仪表二维码_${today.replaceAll('-', '')}.pdf`,
  title: '仪表二维码',
  margin: 20,
})

const auditLabels = (
  database: Database,
  scope: Scope,
  { projectCode }: LabelQuery,
  labels: number,
): Promise<void> =>
  database.tx(scope.ownerId, tx =>
    audit(tx, scope, [{ action: 'export', entity: 'meter', entityId: 0, projectCode, after: { labels } }]),
  )

/** So many labels are drawn at a stretch; other requests go on in between. */
const labelsAtOnce = 12

/** A project's labels: drawn page by page into a file that is kept for a week. */
const labelJob = defineJob<LabelQuery>({
  kind: 'meters.labels',
  type: 20,
  run: async (query, { app, database, scope, signal, reportProgress }) => {
    const today = dayOfMoment(fromInstant(app.clock()))
    const meters = await findLabelled(database.reader(scope.ownerId), scope, today, query)
    const sheet = sheetOf(today)
    const directory = join(app.dataDir, 'tmp')
    const path = join(directory, randomUUID())
    await mkdir(directory, { recursive: true, mode: 0o700 })
    try {
      const { paper } = openPdf(sheet)
      const written = pipeline(paper, writeDiskFile(path))
      // Awaited below: until then a full disk has nobody to tell.
      written.catch(() => {})
      for (const [i, meterRow] of meters.entries()) {
        if (i % labelsAtOnce === 0) {
          await nextTurn()
          signal.throwIfAborted()
          reportProgress(i, meters.length)
        }
        drawLabel(paper, meterRow, i, query.address)
      }
      paper.end()
      await written
      const file = await app.files.save(
        scope.ownerId,
        scope.operatorId,
        { name: sheet.name, type: 'application/pdf', path },
        sheetLimits.retentionDays,
      )
      await auditLabels(database, scope, query, meters.length)
      return { success: meters.length, file, message: `已生成 ${meters.length} 张标签` }
    } finally {
      await rm(path, { force: true })
    }
  },
})

export const labelJobs = [labelJob]

export const labelHandlers = [
  reads(printLabels, async (query, { db, scope, today, app }) => {
    const found = await findLabelled(db, scope, today, query)
    if (found.length > maxDirectLabels)
      return refuse(`共 ${found.length} 张，超过 ${maxDirectLabels} 张，请用后台生成，完成后在任务中心下载`)
    await auditLabels(app.database, scope, query, found.length)
    return createPdf(sheetOf(today), paper => {
      for (const [i, m] of found.entries()) {
        drawLabel(paper, m, i, query.address)
      }
    })
  }),
  writes(startLabels, async (query, { tx, scope, today, app }) => {
    const { length } = await findLabelled(tx, scope, today, query)
    return app.jobs.start(tx, scope, labelJob.kind, `生成仪表二维码 ${length} 张`, query)
  }),
]
