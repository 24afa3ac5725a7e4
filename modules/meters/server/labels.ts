import { labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { drawQr, fitted, pdf, type Paper } from '#kit/server/pdf.ts'
import { rows } from '#kit/server/table.ts'
import { meterFilters, printLabels } from '../contract/device.ts'
import { meterKind } from '../contract/choices.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { meterWhere, plainMeter } from './device.ts'

const most = 3000

/** Three labels across and eight down an A4 sheet, in points. */
const grid = { across: 3, down: 8, left: 22, top: 26, width: 184, height: 99, qr: 88 } as const

/**
 * What the picture says: the address of the phone screen for this meter; without an address, its project and
 * number.
 */
export const labelText = (address: string | undefined, m: Pick<Meter, 'projectCode' | 'meterNo'>): string =>
  address
    ? `${address}/intelligentMeter/checkmeter/mobilemeterreading?project=${encodeURIComponent(m.projectCode)}&meter=${encodeURIComponent(m.meterNo)}`
    : `${m.projectCode}/${m.meterNo}`

function label(paper: Paper, m: Meter, at: number, address: string | undefined): void {
  const { across, down, left, top, width, height, qr } = grid
  const i = at % (across * down)
  if (at > 0 && i === 0) {
    paper.addPage()
  }
  const x = left + (i % across) * width
  const y = top + Math.floor(i / across) * height
  const words = x + qr + 4
  const room = width - qr - 10
  paper
    .lineWidth(0.5)
    .dash(2, { space: 2 })
    .rect(x, y, width - 4, height - 4)
    .stroke('#bbb')
    .undash()
  drawQr(paper, labelText(address, m), x + 3, y + 4, qr)
  const line = (text: string, dy: number, size: number, weight: 'plain' | 'bold', color: string): void => {
    paper.font(weight).fontSize(size).fillColor(color)
    paper.text(fitted(paper, text, room), words, y + dy, { lineBreak: false })
  }
  line(`${labelOf(meterKind, m.meterKind)}表`, 10, 9, 'plain', '#555')
  line(m.meterNo, 24, 12, 'bold', '#000')
  line(m.sourceName ?? '', 44, 10, 'plain', '#000')
  line(m.location ?? '', 59, 8, 'plain', '#555')
  line(m.multiple === '1' ? '' : `倍率 ${m.multiple}`, 73, 8, 'plain', '#555')
}

export const labelHandlers = [
  reads(printLabels, async ({ ids, address, ...q }, { db, scope, today, world }) => {
    const found = await rows(
      db,
      meter,
      scope,
      { ...plainMeter(q), order: 'sortKey,meterNo' },
      {
        filters: meterFilters,
        where: [...meterWhere(q, today), ...(ids?.length ? [sql`t.id = any(${ids.map(Number)})`] : [])],
        limit: most + 1,
      },
    )
    if (!found.length) return refuse('没有符合条件的仪表，请调整筛选条件')
    if (found.length > most) return refuse(`一次最多打印 ${most} 张标签，请缩小筛选范围`)
    await world.store.tx(scope.ownerId, tx =>
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
    return pdf(
      { name: `仪表二维码_${today.replaceAll('-', '')}.pdf`, title: '仪表二维码', margin: 20 },
      paper => {
        for (const [i, m] of found.entries()) {
          label(paper, m, i, address)
        }
      },
    )
  }),
]
