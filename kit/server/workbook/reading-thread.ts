import { parentPort, workerData } from 'node:worker_threads'
import { readFileSync } from 'node:fs'
import { Unfit, megabytes, type Limits, type Why } from './sheet.ts'
import { gather, type Batch, type Frame, type Gather } from './gather.ts'
import { readCsv } from './csv-text.ts'
import { readXls } from './xls.ts'
import { readXlsx } from './xlsx.ts'
import { damaged } from './xml.ts'

/**
 * The thread that reads: a hostile file may exhaust it, never the server. Its kind is told by its first
 * bytes, not by its name.
 */
export interface Task {
  readonly file: string | Uint8Array
  readonly sheet: string | undefined
  readonly limits: Limits
}

export type Report =
  | { readonly batch: Batch }
  | { readonly frame: Frame }
  | { readonly refused: { why: Why; message: string; cause: string } }

/** PDF, pictures, other archives. */
const others = ['%PDF', '\x89PNG', '\xff\xd8\xff', 'GIF8', 'Rar!', '7z\xbc\xaf', '\x1f\x8b']

async function read(file: Buffer, task: Task, into: Gather): Promise<Frame> {
  if (file.length > task.limits.bytes)
    throw new Unfit(
      'too-large',
      `文件 ${megabytes(file.length)}，最大 ${megabytes(task.limits.bytes)}。请拆成几个文件，或删去图片后再上传`,
    )
  if (file.length === 0) throw new Unfit('empty', '文件是空的（0 字节）。请重新选择文件')
  const start = file.toString('latin1', 0, 512)
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06'))
    return readXlsx(file, task.sheet, task.limits, into)
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return readXls(file, task.sheet, into)
  if (/^(\xef\xbb\xbf)?\s*<(!doctype|html|table|head|meta|\?xml)/i.test(start))
    throw new Unfit(
      'not-a-workbook',
      '这是网页格式的表格（有些系统导出的 xls 其实是网页）。请用 Excel 或 WPS 打开它，另存为 xlsx 后再上传',
    )
  if (others.some(sign => start.startsWith(sign)))
    throw new Unfit(
      'not-a-workbook',
      '这不是工作簿（是 PDF、图片或压缩包），只能读取 xlsx、xls、csv。请另存为 xlsx 后再上传',
    )
  return readCsv(file, into)
}

const port = parentPort!
const task = workerData as Task
const report = (r: Report) => port.postMessage(r)

try {
  const file =
    typeof task.file === 'string'
      ? readFileSync(task.file)
      : Buffer.from(task.file.buffer, task.file.byteOffset, task.file.byteLength)
  report({
    frame: await read(
      file,
      task,
      gather(task.limits, batch => report({ batch })),
    ),
  })
} catch (e) {
  // Anything unforeseen while reading foreign bytes (a range error of a buffer, bad deflate data) is the
  // file's fault; the cause goes to the log.
  const refused = e instanceof Unfit ? e : damaged(e)
  report({
    refused: {
      why: refused.why,
      message: refused.message,
      cause: refused.cause instanceof Error ? String(refused.cause.stack) : '',
    },
  })
}
