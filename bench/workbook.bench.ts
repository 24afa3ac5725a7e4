import { defined } from '#kit/domain/defined.ts'
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { readFile } from 'node:fs/promises'
import { streamXlsxRows, writeXlsxStream } from 'hucre/xlsx'
import type { OutputColumn, Row as SheetRow } from '#kit/server/workbook/column.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import {
  atMost,
  measureGrowth,
  median,
  measureMs,
  atMostLimit,
  type BenchContext,
  type BenchRow,
} from './bench.ts'

export const name = 'workbook'

const EXPORTED = 50_000
const IMPORTED = 20_000

/** Rows like those of an export: texts, codes, phones, money and days, each row different. */
const columnKinds: readonly [Omit<OutputColumn, 'heading'>, (i: number) => string | number | undefined][] = [
  [{ format: '@' }, i => `${i % 40}栋-${i}号房间`],
  [{ format: '0.00' }, i => (i * 101) / 100],
  [{ format: '@' }, i => `1381234${String(i % 10_000).padStart(4, '0')}`],
  [{ format: '@' }, i => `2026-${String((i % 12) + 1).padStart(2, '0')}-15`],
  [{}, i => (i % 7 ? i : undefined)],
]

const buildColumns = (n: number): OutputColumn[] =>
  Array.from({ length: n }, (_, c) => ({
    heading: `列${c + 1}`,
    ...defined(columnKinds[c % columnKinds.length])[0],
  }))

const buildRow = (n: number, i: number): SheetRow =>
  Array.from({ length: n }, (_, c) => defined(columnKinds[c % columnKinds.length])[1](i + c))

function* rowBatches(rows: number, n: number): Generator<SheetRow[]> {
  for (let at = 0; at < rows; at += 500) {
    yield Array.from({ length: Math.min(500, rows - at) }, (_, i) => buildRow(n, at + i))
  }
}

function* constants(rows: number, n: number): Generator<(string | number | null)[]> {
  const row = buildRow(n, 12_345).map(v => (typeof v === 'string' || typeof v === 'number' ? v : null))
  for (let i = 0; i < rows; i++) {
    yield row
  }
}

const writeTestBook = (rows: number, n: number, file: string): Promise<unknown> =>
  writeWorkbook(buildColumns(n), rowBatches(rows, n), createWriteStream(file))

/**
 * Export against the library writing constants, reading against the library's own stream; memory in processes
 * of their own.
 */
export async function run({ folder, log }: BenchContext): Promise<BenchRow[]> {
  const file = join(folder(), 'a.xlsx')
  const headings = buildColumns(20).map(c => ({ header: c.heading }))
  const raw = await median(() =>
    measureMs(() =>
      pipeline(
        Readable.fromWeb(writeXlsxStream(constants(EXPORTED, 20), { name: '数据', columns: headings })),
        createWriteStream(file),
      ),
    ),
  )
  const small = await median(() => measureMs(() => writeTestBook(EXPORTED / 5, 20, file)))
  const ours = await median(() => measureMs(() => writeTestBook(EXPORTED, 20, file)))
  log(`写 ${EXPORTED} 行`)
  await writeTestBook(IMPORTED, 30, file)
  const rawRead = await median(() =>
    measureMs(async () => {
      for await (const row of streamXlsxRows(await readFile(file))) {
        void row
      }
    }),
  )
  const oursRead = await median(() => measureMs(() => readWorkbook(file)))
  log(`读 ${IMPORTED} 行`)
  const [few, many, reading] = [
    await peakMemory('write', EXPORTED / 5, file),
    await peakMemory('write', EXPORTED, file),
    await peakMemory('read', IMPORTED, file),
  ]
  return [
    atMost(1.5, { label: `写 ${EXPORTED} 行 × 20 列（对 hucre 写常量）`, ours, raw, unit: 'ms' }),
    measureGrowth('写', { rows: EXPORTED / 5, ms: small }, { rows: EXPORTED, ms: ours }),
    atMost(1.5, {
      label: `写 ${EXPORTED} 行的内存峰值（对 ${EXPORTED / 5} 行）`,
      ours: many,
      raw: few,
      unit: 'MB',
    }),
    atMost(2, {
      label: `读 ${IMPORTED} 行 × 30 列（对 hucre 只读值，含启动线程）`,
      ours: oursRead,
      raw: rawRead,
      unit: 'ms',
    }),
    atMostLimit(512, { label: `读 ${IMPORTED} 行的内存峰值`, ours: reading, raw: few, unit: 'MB' }),
  ]
}

/** Peak memory of a process that does just that, MB. Reading writes its file first, which takes less. */
async function peakMemory(work: 'write' | 'read', rows: number, file: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    import.meta.filename,
    work,
    String(rows),
    file,
  ])
  return Number(stdout)
}

if (import.meta.main) {
  const [work = '', rows = '', file = ''] = process.argv.slice(2)
  if (work === 'write') {
    await writeTestBook(Number(rows), 20, file)
  } else {
    await writeTestBook(Number(rows), 30, file)
    await readWorkbook(file)
  }
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
}
