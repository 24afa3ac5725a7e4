import { dirname } from 'node:path'
import { openDatabase, sql } from '#kit/server/db.ts'
import { openServer } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import {
  appendEntries,
  installationOf,
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
  return repeat(url, dataDir, await collectJournals(dataDir, backupFile, others))
}

interface ImportedDatabase {
  readonly url: string
  readonly dataDir: string
  /** Its numbers are those that it had where it was exported. */
  readonly ownerId: number
  readonly exportFile: string
  readonly others?: readonly string[]
}

/**
 * Repeats, for a company that was imported, the erasures that the installation which it comes from carried
 * out after the export. They belong to this installation from here on: an import that is killed behind this
 * point is made good by the next start.
 */
export async function adoptErasures({
  url,
  dataDir,
  ownerId,
  exportFile,
  others = [],
}: ImportedDatabase): Promise<Reapplied> {
  const files = [journalFileIn(dirname(exportFile)), ...others]
  const known = files.flatMap(readJournalFile).filter(entry => Number(entry.ownerId) === ownerId)
  if (!known.length) return nothing
  const database = openDatabase(url)
  try {
    const installation = await installationOf(database)
    await appendEntries(
      journalFileIn(dataDir),
      known.map(entry => ({ ...entry, installation })),
    )
  } finally {
    await database.close()
  }
  return repeat(url, dataDir, readJournalFile(journalFileIn(dataDir)))
}

const nothing: Reapplied = { erased: 0, absent: 0, foreign: 0, open: [] }

async function repeat(
  url: string,
  dataDir: string,
  entries: ReturnType<typeof readJournalFile>,
): Promise<Reapplied> {
  if (!entries.length) return nothing
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

/** Lines for the operator; none where there was nothing to repeat. */
export function erasureLines(
  { erased, absent, foreign, open }: Reapplied,
  source: '备份' | '导出' = '备份',
): string[] {
  return [
    ...(erased || absent
      ? [`${source}之后办结的个人信息删除已重新执行：${erased} 人；另有 ${absent} 人在${source}中没有记录。`]
      : []),
    ...open.map(each => `删除之后仍有未办事项，请办理：${each}`),
    ...(foreign ? [`删除记录中有 ${foreign} 条属于另一套系统，没有执行。`] : []),
  ]
}
