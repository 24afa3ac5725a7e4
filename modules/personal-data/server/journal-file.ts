import { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '#kit/contract/wire/members.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import type { JournalEntry } from './journal.ts'

/** Beside the uploaded files: a restore replaces those and the database, and never this. */
export const journalFileName = 'erasures.jsonl'

export const journalFileIn = (folder: string): string => join(folder, journalFileName)

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by appendEntries alone
    return isObject(value) && value.format === 1 ? (value as unknown as JournalEntry) : undefined
  } catch {
    return undefined
  }
}

/**
 * The entries of a journal, one a line. A last line that a power cut left half is no entry, and the database
 * has it; any other that cannot be read stops: an erasure would be forgotten in silence.
 */
export function readJournalFile(file: string): JournalEntry[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  const isHalf = (index: number): boolean => index === lines.length - 1
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const entry = parseEntry(line)
    if (entry) return [entry]
    if (isHalf(index)) return []
    throw new StartupError(
      `删除记录 ${file} 第 ${index + 1} 行无法读取，不能确认已删除的个人信息没有随备份恢复。请用另存的副本替换该文件。`,
    )
  })
}

/** Adds the entries that the file does not have; what is in it stays as it is. */
export async function appendEntries(file: string, entries: readonly JournalEntry[]): Promise<number> {
  const known = new Set(readJournalFile(file).map(entry => entry.uid))
  const missing = entries.filter(entry => !known.has(entry.uid))
  if (!missing.length) return 0
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // A half line is ended first, as a line of its own it would stop every reader.
  const cut = text.lastIndexOf('\n') + 1
  const handle = await open(file, 'a', 0o600)
  try {
    if (cut < text.length) {
      await handle.truncate(Buffer.byteLength(text.slice(0, cut)))
    }
    await handle.appendFile(missing.map(entry => `${JSON.stringify(entry)}\n`).join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
  return missing.length
}
