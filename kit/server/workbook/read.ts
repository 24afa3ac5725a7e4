import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Cell } from '#kit/contract/sheet-read.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { Refused, code } from '#kit/contract/wire.ts'
import { plain } from './number-format.ts'
import {
  columnNumber,
  megabytes,
  textOf,
  type Limits,
  type Line,
  type Merge,
  type Sheet,
  type Why,
} from './sheet.ts'
import { formulaMark, kinds, type Batch, type Frame } from './gather.ts'
import type { Report, Task } from './reading-thread.ts'

/** IMP-2, and what a hostile file may cost. */
export const limits: Limits = {
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
  readonly limits?: Partial<Limits>
}

/**
 * The file cannot be taken; `message` is Chinese, says what to do and the exact numbers (IMP-2). `why` is for
 * code.
 */
export class WorkbookRefused extends Refused {
  readonly why: Why
  constructor(why: Why, message: string, cause?: string) {
    super(code.refused, message)
    this.name = 'WorkbookRefused'
    this.why = why
    if (cause) {
      this.cause = cause
    }
  }
}

/**
 * Reads one sheet of an xlsx, xls or csv file given as path or bytes, in a thread of its own with bounded
 * memory and time. Throws WorkbookRefused, in words for the one who uploaded it, for whatever cannot be taken
 * (IMP-2). Formulas, errors and merged cells come back as such, to be refused by cell (IMP-5).
 */
export async function readWorkbook(file: string | Uint8Array, options: ReadOptions = {}): Promise<Sheet> {
  const within: Limits = { ...limits, ...options.limits }
  const bytes = typeof file === 'string' ? (await stat(file)).size : file.length
  if (bytes > within.bytes)
    throw new WorkbookRefused(
      'too-large',
      `文件 ${megabytes(bytes)}，最大 ${megabytes(within.bytes)}。请拆成几个文件，或删去图片后再上传`,
    )
  await turn()
  try {
    return await readInThread({ file, sheet: options.sheet, limits: within })
  } finally {
    // The place is handed over rather than freed, or a newcomer could take it as well.
    const next = waiting.shift()
    if (next) {
      next()
    } else {
      running--
    }
  }
}

/**
 * Two at a time: each may take a core and `limits.memory`. More wait; far more are sent away rather than
 * piled up.
 */
const atOnce = 2
const queue = 50
let running = 0
const waiting: (() => void)[] = []

async function turn(): Promise<void> {
  if (running < atOnce) return void running++
  if (waiting.length >= queue)
    throw new WorkbookRefused('busy', `正在读取的文件太多（已有 ${queue} 个在排队）。请稍后再上传`)
  await new Promise<void>(go => waiting.push(go))
}

function readInThread(task: Task): Promise<Sheet> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: {
        maxOldGenerationSizeMb: task.limits.memory,
        maxYoungGenerationSizeMb: 32,
        stackSizeMb: 2,
      },
    })
    const lines: Filling[] = []
    let done = false
    const end = (settle: () => void) => {
      if (done) return
      done = true
      clearTimeout(clock)
      void thread.terminate()
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
    thread.on('message', (report: Report) => {
      if ('batch' in report) {
        unpackLines(report.batch, lines)
      } else if ('frame' in report) {
        end(() => resolve(assemble(report.frame, lines)))
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

interface Filling extends Line {
  readonly cells: Cell[]
}

function unpackLines(batch: Batch, lines: Filling[]): void {
  let at = 0
  for (let i = 0; i < batch.lines.length; i++) {
    const cells: Cell[] = []
    for (const end = at + batch.widths[i]!; at < end; at++) {
      cells.push(cellOf(batch.marks[at]!, batch.texts[at]!))
    }
    lines.push({ line: batch.lines[i]!, cells })
  }
}

function cellOf(mark: number, text: string): Cell {
  if (mark & formulaMark) return { odd: 'formula', text }
  switch (kinds[mark]) {
    case 'empty':
      return text === '' ? null : text
    case 'error':
      return { odd: 'error', text }
    case 'flag':
      return text === 'TRUE'
    case 'number': {
      // `00123` and `5%` are what their format shows; only what is no more than its number is handed on as
      // number.
      const n = Number(text)
      return plain(n) === text ? n : text
    }
    default:
      return text
  }
}

function assemble({ width, above, merged, ...frame }: Frame, all: Filling[]): Sheet {
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
    above: all.slice(0, above),
    headingLine: head!.line,
    heading: head!.cells.map(textOf),
    lines,
  }
}

function markMerged(merged: readonly Merge[], all: readonly Filling[]): void {
  for (const { line, column, range } of merged) {
    const end = /:([A-Z]{1,3})(\d{1,7})$/.exec(range)
    if (end === null) continue
    const from = all.findIndex(l => l.line >= line)
    for (let i = from; i >= 0 && i < all.length && all[i]!.line <= Number(end[2]); i++) {
      const { cells } = all[i]!
      for (let c = column; c <= Math.min(columnNumber(end[1]!), cells.length - 1); c++) {
        cells[c] = { odd: 'merged', text: textOf(cells[c]) }
      }
    }
  }
}
