import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { drawQr, fitText, createPdf, type PdfDocument } from '#kit/server/pdf.ts'
import { findAll } from '#kit/server/table.ts'
import { meterFilters, printLabels } from '../contract/meter-calls.ts'
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
  m: Pick<Meter, 'projectCode' | 'meterNo'>,
): string =>
  address
    ? `${address}/intelligentMeter/checkmeter/mobilemeterreading?project=${encodeURIComponent(m.projectCode)}&meter=${encodeURIComponent(m.meterNo)}`
    : `${m.projectCode}/${m.meterNo}`

function drawLabel(paper: PdfDocument, m: Meter, index: number, address: string | undefined): void {
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
  drawQr(paper, buildLabelText(address, m), x + 3, y + 4, qr)
  const line = (text: string, dy: number, size: number, weight: 'plain' | 'bold', color: string): void => {
    paper.font(weight).fontSize(size).fillColor(color)
    paper.text(fitText(paper, text, textWidth), textX, y + dy, { lineBreak: false })
  }
  line(`${labelOf(meterKind, m.meterKind)}表`, 10, 9, 'plain', '#555')
  line(m.meterNo, 24, 12, 'bold', '#000')
  line(m.sourceName ?? '', 44, 10, 'plain', '#000')
  line(m.location ?? '', 59, 8, 'plain', '#555')
  line(m.multiple === '1' ? '' : `倍率 ${m.multiple}`, 73, 8, 'plain', '#555')
}

export const labelHandlers = [
  reads(printLabels, async ({ ids, address, ...q }, { db, scope, today, app }) => {
    const found = await findAll(
      db,
      meter,
      scope,
      { ...toMeterColumnFilters(q), order: 'sortKey,meterNo' },
      {
        filters: meterFilters,
        where: [...meterConditions(q, today), ...(ids?.length ? [sql`t.id = any(${ids.map(Number)})`] : [])],
        limit: maxLabels + 1,
      },
    )
    if (!found.length) return refuse('没有符合条件的仪表，请调整筛选条件')
    if (found.length > maxLabels) return refuse(`一次最多打印 ${maxLabels} 张标签，请缩小筛选范围`)
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        {
          action: 'export',
          entity: 'meter',
          entityId: 0,
          projectCode: q.projectCode,
          after: { labels: found.length },
        },
      ]),
    )
    return createPdf(
      { name: `仪表二维码_${today.replaceAll('-', '')}.pdf`, title: '仪表二维码', margin: 20 },
      paper => {
        for (const [i, m] of found.entries()) {
          drawLabel(paper, m, i, address)
        }
      },
    )
  }),
]
