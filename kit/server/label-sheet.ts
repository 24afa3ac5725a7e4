import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import type { App } from './app.ts'
import { writeDiskFile } from './disk-file.ts'
import { createPdf, drawQr, fitText, openPdf, type PdfDocument } from './pdf.ts'
import type { Scope } from './scope.ts'

/** What is on one label, beside its QR picture. */
export interface QrLabel {
  /** What a scanner reads. */
  readonly code: string
  readonly kind: string
  readonly title: string
  readonly place?: string | undefined
  /** Two small lines at most. */
  readonly notes?: readonly (string | undefined)[]
}

export interface LabelSheet {
  readonly name: string
  readonly title: string
}

/** Three labels across and eight down an A4 sheet, in points. */
const labelGrid = { across: 3, down: 8, left: 22, top: 26, width: 184, height: 99, qr: 88 } as const
const margin = 20

function drawLabel(paper: PdfDocument, label: QrLabel, index: number): void {
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
  drawQr(paper, label.code, x + 3, y + 4, qr)
  const line = (text: string, dy: number, size: number, weight: 'plain' | 'bold', color: string): void => {
    paper.font(weight).fontSize(size).fillColor(color)
    paper.text(fitText(paper, text, textWidth), textX, y + dy, { lineBreak: false })
  }
  line(label.kind, 10, 9, 'plain', '#555')
  line(label.title, 24, 12, 'bold', '#000')
  line(label.place ?? '', 44, 10, 'plain', '#000')
  line(label.notes?.[0] ?? '', 59, 8, 'plain', '#555')
  line(label.notes?.[1] ?? '', 73, 8, 'plain', '#555')
}

/** A sheet that is drawn while the caller waits: for some pages. */
export const createLabelSheet = (sheet: LabelSheet, labels: readonly QrLabel[]): FileResponse =>
  createPdf({ ...sheet, margin }, paper => {
    for (const [i, label] of labels.entries()) {
      drawLabel(paper, label, i)
    }
  })

/** Labels drawn without a pause; other requests are served in between. */
const labelsAtOnce = 12

interface SheetTask {
  readonly app: Pick<App, 'dataDir' | 'files'>
  readonly scope: Scope
  readonly signal: AbortSignal
  readonly reportProgress: (finished: number, total: number) => void
}

/** A sheet of any length: drawn page by page into a file that is kept for a week. Answers its key. */
export async function saveLabelSheet(
  { app, scope, signal, reportProgress }: SheetTask,
  sheet: LabelSheet,
  labels: readonly QrLabel[],
): Promise<string> {
  const directory = join(app.dataDir, 'tmp')
  const path = join(directory, randomUUID())
  await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    const { paper } = openPdf({ ...sheet, margin })
    const written = pipeline(paper, writeDiskFile(path))
    // Awaited below: until then a full disk has nobody to tell.
    written.catch(() => {})
    for (const [i, label] of labels.entries()) {
      if (i % labelsAtOnce === 0) {
        await nextTurn()
        signal.throwIfAborted()
        reportProgress(i, labels.length)
      }
      drawLabel(paper, label, i)
    }
    paper.end()
    await written
    return await app.files.save(
      scope.ownerId,
      scope.operatorId,
      { name: sheet.name, type: 'application/pdf', path },
      sheetLimits.retentionDays,
    )
  } finally {
    await rm(path, { force: true })
  }
}
