import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { Refused, code } from '#kit/contract/wire.ts'
import { emptyCell, limits as usual, megabytes, type Cell, type Limits, type Line, type Sheet, type Why } from './sheet.ts'
import { formulaMark, kinds, type Batch, type Frame } from './gather.ts'
import type { Report, Task } from './reading-thread.ts'

export interface ReadOptions {
  /** Name of the worksheet; the first visible one without it. */
  readonly sheet?: string
  /** The line (from 1) at which to look for the heading; without it the first line with text is the heading. */
  readonly headingLine?: number
  readonly limits?: Partial<Limits>
}

/** The file cannot be taken; `message` is Chinese, says what to do and the exact numbers (IMP-2). `why` is for code. */
export class WorkbookRefused extends Refused {
  readonly why: Why
  constructor(why: Why, message: string, cause?: string) {
    super(code.refused, message)
    this.name = 'WorkbookRefused'
    this.why = why
    if (cause) this.cause = cause
  }
}

/**
 * Reads one sheet of an xlsx, xls or csv file given as path or bytes, in a thread of its own with bounded memory and time.
 * Throws WorkbookRefused, in words for the one who uploaded it, for whatever cannot be taken (IMP-2, IMP-5).
 */
export async function readWorkbook(file: string | Uint8Array, options: ReadOptions = {}): Promise<Sheet> {
  const limits: Limits = { ...usual, ...options.limits }
  const bytes = typeof file === 'string' ? (await stat(file)).size : file.length
  if (bytes > limits.bytes)
    throw new WorkbookRefused('too-large', `文件 ${megabytes(bytes)}，最大 ${megabytes(limits.bytes)}。请拆成几个文件，或删去图片后再上传`)
  await turn()
  try {
    return await readInThread({ file, sheet: options.sheet, headingLine: options.headingLine, limits })
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** Two at a time: each may take a core and `limits.memory`. More wait; far more are sent away rather than piled up. */
const atOnce = 2
const queue = 50
let running = 0
const waiting: (() => void)[] = []
async function turn(): Promise<void> {
  if (running >= atOnce) {
    if (waiting.length >= queue) throw new WorkbookRefused('busy', `正在读取的文件太多（排队 ${queue} 个）。请稍后再上传`)
    await new Promise<void>(go => waiting.push(go))
  }
  running++
}

function readInThread(task: Task): Promise<Sheet> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: task.limits.memory, maxYoungGenerationSizeMb: 32, stackSizeMb: 2 },
      stdout: false,
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
    const refuse = (error: unknown) => end(() => reject(error))
    const seconds = Math.round(task.limits.milliseconds / 1000)
    const clock = setTimeout(
      () => refuse(new WorkbookRefused('too-slow', `读取超过 ${seconds} 秒仍未完成，已停止。请拆成几个文件，或把数据复制到新的工作簿后再上传`)),
      task.limits.milliseconds,
    )
    thread.on('message', (report: Report) => {
      if ('batch' in report) unpackLines(report.batch, lines)
      else if ('frame' in report) end(() => resolve(assemble(report.frame, lines)))
      else refuse(new WorkbookRefused(report.refused.why, report.refused.message, report.refused.cause))
    })
    thread.on('error', (error: NodeJS.ErrnoException) =>
      refuse(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new WorkbookRefused('too-big-inside', `内容过大，读取时超过了 ${task.limits.memory} MB 内存。请拆成几个文件，或把数据复制到新的工作簿后再上传`)
          : error,
      ),
    )
    thread.on('exit', code => refuse(new Error(`the reading thread ended with ${code} before it reported`)))
  })
}

interface Filling extends Line { readonly cells: Cell[] }
function unpackLines(batch: Batch, lines: Filling[]): void {
  let at = 0
  for (let i = 0; i < batch.lines.length; i++) {
    const cells: Cell[] = []
    for (const end = at + batch.widths[i]!; at < end; at++) {
      const mark = batch.marks[at]!
      const text = batch.texts[at]!
      cells.push(mark === 0 && text === '' ? emptyCell : { kind: kinds[mark & 7]!, text, formula: (mark & formulaMark) !== 0 })
    }
    lines.push({ line: batch.lines[i]!, cells })
  }
}

function assemble(frame: Frame, lines: Filling[]): Sheet {
  const width = frame.headingText.length
  for (const { cells } of lines) {
    while (cells.length < width) cells.push(emptyCell)
    cells.length = width
  }
  return { ...frame, heading: frame.headingText.map(headingOf), lines }
}

/** `*房号`, `房号（必填）`, `房\n号` → `房号`: templates mark what must be filled, people break headings to fit. */
export const headingOf = (text: string): string =>
  text.replace(/[\r\n\t]+/g, '').replace(/[(（]\s*必填\s*[)）]/, '').replace(/^[\s*＊]+|[\s*＊]+$/g, '')
