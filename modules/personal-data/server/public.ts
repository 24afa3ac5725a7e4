export { installationOf, readStoredEntries } from './journal.ts'
export { appendEntries, journalFileIn, journalFileName, readJournalFile } from './journal-file.ts'
export { reapplyErasures, type Reapplied } from './reapply.ts'
export { runRetention } from './retention.ts'
