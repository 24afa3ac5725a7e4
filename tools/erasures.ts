import { dirname } from 'node:path'
import { openDatabase, sql } from '#kit/server/db.ts'
import { openServer } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import {
  appendEntries,
  journalFileIn,
  readJournalFile,
  readStoredEntries,
  reapplyErasures,
  type Reapplied,
} from '#modules/personal-data/server/public.ts'
import { readProductVersion } from './product-version.ts'

/** Copies the erasures that a database knows of into the journals of these folders. */
export async function copyErasures(url: string, folders: readonly string[]): Promise<void> {
  const database = openDatabase(url)
  try {
    // A database of an earlier version, or an empty one, has none.
    const known = await database.reader('*').one(sql`
      select attname
      from pg_attribute
      where attrelid = to_regclass('erasure_request') and attname = 'run_journal'
    `)
    const entries = known ? await readStoredEntries(database.reader('*')) : []
    for (const folder of folders) {
      await appendEntries(journalFileIn(folder), entries)
    }
  } finally {
    await database.close()
  }
}

/** The journals that may know of erasures: of the data folder, beside the backup, and others. */
async function collectJournals(dataDir: string, backupFile: string, others: readonly string[]) {
  const own = journalFileIn(dataDir)
  for (const file of [journalFileIn(dirname(backupFile)), ...others]) {
    await appendEntries(own, readJournalFile(file))
  }
  return readJournalFile(own)
}

interface RestoredDatabase {
  readonly url: string
  readonly dataDir: string
  readonly backupFile: string
  readonly others?: readonly string[]
}

/** Repeats the erasures that came after the backup, before anybody is served. */
export async function repeatErasures({
  url,
  dataDir,
  backupFile,
  others = [],
}: RestoredDatabase): Promise<Reapplied> {
  const entries = await collectJournals(dataDir, backupFile, others)
  if (!entries.length) return { erased: 0, absent: 0, foreign: 0, open: [] }
  const installed = await loadInstalledModules()
  const server = await openServer({
    databaseUrl: url,
    dataDir,
    // Nothing of the product runs but this.
    installed: installed.map(module => {
      const { onStart: _start, intervals: _intervals, ...rest } = module.server
      return { ...module, server: rest }
    }),
    loadCaller: createCallerLoader,
    version: readProductVersion(),
    logging: { logger: false },
    runsJobs: false,
  })
  try {
    return await reapplyErasures(server.app, entries)
  } finally {
    await server.close()
  }
}

/** Lines for the operator who restores; none where there was nothing to repeat. */
export function erasureLines({ erased, absent, foreign, open }: Reapplied): string[] {
  return [
    ...(erased || absent
      ? [`备份之后办结的个人信息删除已重新执行：${erased} 人；另有 ${absent} 人在备份中没有记录。`]
      : []),
    ...open.map(each => `删除之后仍有未办事项，请办理：${each}`),
    ...(foreign ? [`删除记录中有 ${foreign} 条属于另一套系统，没有执行。`] : []),
  ]
}
