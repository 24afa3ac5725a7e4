import { listOf, objectOf, parseJson, type JsonObject } from '../json.ts'
import { requireProgram, type ProgramOptions } from '../run-program.ts'

export const isWindows = process.platform === 'win32'

/** The rows that a PowerShell expression writes; one row alone is not written as a list. */
export async function queryPowerShell(expression: string, options: ProgramOptions): Promise<JsonObject[]> {
  const script = `[Console]::OutputEncoding=[Text.Encoding]::UTF8; ${expression} | ConvertTo-Json -Compress`
  const text = await requireProgram(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-Command', script],
    options,
  )
  const parsed = text.trim() === '' ? [] : parseJson(text)
  return listOf(Array.isArray(parsed) ? parsed : [parsed], 'rows', row => objectOf(row, 'row'))
}
