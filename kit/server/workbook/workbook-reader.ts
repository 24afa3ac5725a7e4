import { defined } from '#kit/domain/defined.ts'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Cell } from '#kit/contract/sheet-reader.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { formatPlainNumber } from './number-format.ts'
import {
  columnNumber,
  formatMegabytes,
  cellToText,
  type WorkbookLimits,
  type WorksheetLine,
  type MergedRange,
  type Worksheet,
  type WorkbookFault,
} from './worksheet.ts'
import { formulaMark, cellKinds, type CellBatch, type SheetFrame } from './cell-collector.ts'
import type { ReadReport, ReadTask } from './reading-thread.ts'

/** IMP-2, and what a hostile file may cost. */
export const defaultLimits: WorkbookLimits = {
  bytes: sheetLimits.bytes,
  lines: sheetLimits.rows,
  columns: 200,
  unpacked: 300 * 1024 * 1024,
  parts: 2_000,
  ratio: 200,
  milliseconds: 60_000,
  memory: 256,
}

export interface ReadOptions {
  /** Name of the worksheet; the first visible one without it. */
  readonly sheet?: string
  readonly limits?: Partial<WorkbookLimits>
}

/**
 * The file cannot be taken; `message` is Chinese, says what to do and the exact numbers (IMP-2). `why` is for
 * code.
 */
export class WorkbookRefused extends Refused {
  readonly reason: WorkbookFault
  constructor(why: WorkbookFault, message: string, cause?: string) {
    super(resultCode.refused, message)
    this.name = 'WorkbookRefused'
    this.reason = why
    if (cause) {
      this.cause = cause
    }
  }
}

/**
 * Reads one sheet of an xlsx, xls or csv file given as path or bytes, in a thread of its own with bounded
 * memory and time. Throws WorkbookRefused, as text for the one who uploaded it, for whatever cannot be taken
 * (IMP-2). Formulas, errors and merged cells come back as such, to be refused by cell (IMP-5).
 */
export async function readWorkbook(file: string | Uint8Array, options: ReadOptions = {}): Promise<Worksheet> {
  const within: WorkbookLimits = { ...defaultLimits, ...options.limits }
  const bytes = typeof file === 'string' ? (await stat(file)).size : file.length
  if (bytes > within.bytes)
    throw new WorkbookRefused(
      'too-large',
      `文件 ${formatMegabytes(bytes)}，最大 ${formatMegabytes(within.bytes)}。请拆成几个文件，或删除图片后再上传`,
    )
  await waitForTurn()
  try {
    return await readInThread({ file, sheet: options.sheet, limits: within })
  } finally {
    // The place is handed over rather than freed, or a newcomer could take it as well.
    const next = waitingTurns.shift()
    if (next) {
      next()
    } else {
      runningCount--
    }
  }
}

/**
 * Two at a time: each may take a core and `limits.memory`. More wait; far more are sent away rather than
 * piled up.
 */
const maxThreads = 2
const maxQueued = 50
let runningCount = 0
const waitingTurns: (() => void)[] = []

async function waitForTurn(): Promise<void> {
  if (runningCount < maxThreads) return void runningCount++
  if (waitingTurns.length >= maxQueued)
    throw new WorkbookRefused('busy', `正在读取的文件太多（已有 ${maxQueued} 个在排队）。请稍后再上传`)
  await new Promise<void>(go => waitingTurns.push(go))
}

function readInThread(task: ReadTask): Promise<Worksheet> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: {
        maxOldGenerationSizeMb: task.limits.memory,
        maxYoungGenerationSizeMb: 32,
        stackSizeMb: 2,
      },
    })
    const lines: MutableLine[] = []
    let done = false
    const end = (settle: () => void) => {
      if (done) return
      done = true
      clearTimeout(clock)
      thread.terminate().catch(() => {})
      settle()
    }
    const refuse = (error: Error) => end(() => reject(error))
    const seconds = Math.round(task.limits.milliseconds / 1000)
    const clock = setTimeout(
      () =>
        refuse(
          new WorkbookRefused(
            'too-slow',
            `读取超过 ${seconds} 秒仍未完成，已停止。请拆成几个文件，或把数据复制到新的工作簿后再上传`,
          ),
        ),
      task.limits.milliseconds,
    )
    thread.on('message', (report: ReadReport) => {
      if ('batch' in report) {
        unpackLines(report.batch, lines)
      } else if ('frame' in report) {
        end(() => resolve(assembleWorksheet(report.frame, lines)))
      }
      // Under `node --watch` a thread also tells which files it loaded; that is not for us.
      else if ('refused' in report) {
        refuse(new WorkbookRefused(report.refused.why, report.refused.message, report.refused.cause))
      }
    })
    thread.on('error', (error: NodeJS.ErrnoException) =>
      refuse(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new WorkbookRefused(
              'too-big-inside',
              `内容过大，读取时超过了 ${task.limits.memory} MB 内存。请拆成几个文件，或把数据复制到新的工作簿后再上传`,
            )
          : error,
      ),
    )
    thread.on('exit', status =>
      refuse(new Error(`the reading thread ended with ${status} before it reported`)),
    )
  })
}

interface MutableLine extends WorksheetLine {
  readonly cells: Cell[]
}

function unpackLines(batch: CellBatch, lines: MutableLine[]): void {
  let at = 0
  for (let i = 0; i < batch.lines.length; i++) {
    const cells: Cell[] = []
    for (const end = at + defined(batch.widths[i]); at < end; at++) {
      cells.push(unpackCell(defined(batch.marks[at]), defined(batch.texts[at])))
    }
    lines.push({ line: defined(batch.lines[i]), cells })
  }
}

function unpackCell(mark: number, text: string): Cell {
  if (mark & formulaMark) return { problem: 'formula', text }
  switch (cellKinds[mark]) {
    case 'empty':
      return text === '' ? null : text
    case 'error':
      return { problem: 'error', text }
    case 'flag':
      return text === 'TRUE'
    case 'number': {
      // `00123` and `5%` are what their format shows; only what is no more than its number is handed on as
      // number.
      const n = Number(text)
      return formatPlainNumber(n) === text ? n : text
    }
    default:
      return text
  }
}

function assembleWorksheet({ width, above, merged, ...frame }: SheetFrame, all: MutableLine[]): Worksheet {
  const spread = (cells: Cell[]) => {
    while (cells.length < width) {
      cells.push(null)
    }
    cells.length = width
  }
  for (const { cells } of all) {
    spread(cells)
  }
  markMerged(merged, all)
  const [head, ...lines] = above === 0 ? all : all.slice(above)
  return {
    ...frame,
    merged,
    linesAbove: all.slice(0, above),
    headingLine: defined(head).line,
    heading: defined(head).cells.map(cellToText),
    lines,
  }
}

function markMerged(merged: readonly MergedRange[], all: readonly MutableLine[]): void {
  for (const { line, column, range } of merged) {
    const end = /:([A-Z]{1,3})(\d{1,7})$/.exec(range)
    if (end === null) continue
    const from = all.findIndex(l => l.line >= line)
    for (let i = from; i >= 0 && i < all.length && defined(all[i]).line <= Number(end[2]); i++) {
      const { cells } = defined(all[i])
      for (let c = column; c <= Math.min(columnNumber(defined(end[1])), cells.length - 1); c++) {
        cells[c] = { problem: 'merged', text: cellToText(cells[c]) }
      }
    }
  }
}
