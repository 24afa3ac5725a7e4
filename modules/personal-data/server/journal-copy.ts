import type { App } from '#kit/server/app.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { readStoredEntries, type JournalEntry } from './journal.ts'
import { appendEntries, journalFileIn } from './journal-file.ts'

type Environment = Pick<App, 'database' | 'dataDir' | 'log'>

/** After the commit: the database has the entry, and the next start or night copies what failed here. */
export async function keepEntry({ dataDir, log }: Environment, entry: JournalEntry): Promise<void> {
  try {
    await appendEntries(journalFileIn(dataDir), [entry])
  } catch (error) {
    log.error({ err: errorMessage(error) }, 'the journal of erasures was not written')
  }
}

/** Copies what the database has and the journal beside the files has not. */
export const copyJournal = async ({ database, dataDir }: Environment): Promise<number> =>
  appendEntries(journalFileIn(dataDir), await readStoredEntries(database.reader('*')))
