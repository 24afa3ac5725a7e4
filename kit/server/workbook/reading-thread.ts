import { defined } from '#kit/domain/defined.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { readFileSync } from 'node:fs'
import { UnfitWorkbook, formatMegabytes, type WorkbookLimits, type WorkbookFault } from './worksheet.ts'
import { createCellCollector, type CellBatch, type SheetFrame, type CellCollector } from './cell-collector.ts'
import { readCsv } from './csv-reader.ts'
import { readXls } from './xls-reader.ts'
import { readXlsx } from './xlsx-reader.ts'
import { damagedWorkbook } from './xml-scanner.ts'

/**
 * The thread that reads: a hostile file may exhaust it, never the server. Its kind is recognized by its first
 * bytes, not by its name.
 */
export interface ReadTask {
  readonly file: string | Uint8Array
  readonly sheet: string | undefined
  readonly limits: WorkbookLimits
}

export type ReadReport =
  | { readonly batch: CellBatch }
  | { readonly frame: SheetFrame }
  | { readonly refused: { why: WorkbookFault; message: string; cause: string } }

/** PDF, pictures, other archives. */
const otherFormats = ['%PDF', '\x89PNG', '\xff\xd8\xff', 'GIF8', 'Rar!', '7z\xbc\xaf', '\x1f\x8b']

async function readByFormat(file: Buffer, task: ReadTask, into: CellCollector): Promise<SheetFrame> {
  if (file.length > task.limits.bytes)
    throw new UnfitWorkbook(
      'too-large',
      `文件 ${formatMegabytes(file.length)}，最大 ${formatMegabytes(task.limits.bytes)}。请拆成几个文件，或删除图片后再上传`,
    )
  if (file.length === 0) throw new UnfitWorkbook('empty', '文件是空的（0 字节）。请重新选择文件')
  const start = file.toString('latin1', 0, 512)
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06'))
    return readXlsx(file, task.sheet, task.limits, into)
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return readXls(file, task.sheet, into)
  if (/^(\xef\xbb\xbf)?\s*<(!doctype|html|table|head|meta|\?xml)/i.test(start))
    throw new UnfitWorkbook(
      'not-a-workbook',
      '这是网页格式的表格（有些系统导出的 xls 其实是网页）。请用 Excel 或 WPS 打开它，另存为 xlsx 后再上传',
    )
  if (otherFormats.some(sign => start.startsWith(sign)))
    throw new UnfitWorkbook(
      'not-a-workbook',
      '这不是工作簿（是 PDF、图片或压缩包），只能读取 xlsx、xls、csv。请另存为 xlsx 后再上传',
    )
  return readCsv(file, into)
}

const port = defined(parentPort)
const task = workerData as ReadTask
const postReport = (r: ReadReport) => port.postMessage(r)

try {
  const file =
    typeof task.file === 'string'
      ? readFileSync(task.file)
      : Buffer.from(task.file.buffer, task.file.byteOffset, task.file.byteLength)
  postReport({
    frame: await readByFormat(
      file,
      task,
      createCellCollector(task.limits, batch => postReport({ batch })),
    ),
  })
} catch (e) {
  // Anything unforeseen while reading foreign bytes (a range error of a buffer, bad deflate data) is the
  // file's fault; the cause goes to the log.
  const refused = e instanceof UnfitWorkbook ? e : damagedWorkbook(e)
  postReport({
    refused: {
      why: refused.reason,
      message: refused.message,
      cause: refused.cause instanceof Error ? String(refused.cause.stack) : '',
    },
  })
}
