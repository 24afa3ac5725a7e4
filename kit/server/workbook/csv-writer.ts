import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formatFlag, headingText, type OutputColumn, type RowBatches, type CellValue } from './column.ts'
import type { WriteResult } from './workbook-writer.ts'

/**
 * Writes UTF-8 with mark, comma separated, into `out` and ends it (EXP-3). A text that Excel would take for a
 * formula (EXP-4), for a date (`1-12`) or for a number whose digits it drops (`007`, a phone, a card) gets a
 * tab before it: Excel shows the text alone, our reader and every trim take the tab off. An apostrophe would
 * be seen and kept.
 */
export async function writeCsv(
  columns: readonly OutputColumn[],
  rows: RowBatches,
  out: Writable,
): Promise<WriteResult> {
  const written = { rows: 0, bytes: 0 }
  await pipeline(async function* () {
    let text = '\ufeff' + columns.map(c => formatCsvField(headingText(c))).join(',') + '\r\n'
    for await (const batch of rows) {
      for (const row of batch) {
        let line = formatCsvField(row[0])
        for (let i = 1; i < columns.length; i++) {
          line += ',' + formatCsvField(row[i])
        }
        text += line + '\r\n'
        written.rows++
        if (text.length >= chunkLength) {
          yield send(text)
          text = ''
        }
      }
    }
    yield send(text)
  }, out)
  return written

  function send(text: string): Buffer {
    const bytes = Buffer.from(text)
    written.bytes += bytes.length
    return bytes
  }
}

const chunkLength = 64 * 1024
const needsGuardTab = /^[=+\-@\t\r＝＋－＠]|^(0\d+|\d{12,}|\d{1,4}[-/]\d{1,2}|\d+e\d+)$/i

function formatCsvField(values: CellValue): string {
  if (values === null || values === undefined) return ''
  if (typeof values === 'number') return Number.isFinite(values) ? String(values) : ''
  const text =
    typeof values === 'boolean' ? formatFlag(values) : needsGuardTab.test(values) ? '\t' + values : values
  return /[",\r\n]|^[ \t]|[ \t]$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
