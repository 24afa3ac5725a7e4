import type { Id } from '#kit/domain/id.ts'
import type { Tx } from './db.ts'

/** Records of an entity that were written; `projectCode` where all of them are of one project. */
export interface RecordChange {
  readonly entity: string
  readonly action: 'insert' | 'update' | 'delete'
  readonly ids: readonly Id[]
  readonly projectCode?: string | undefined
}

/** Adds to what is sent with the commit, or done after it: a write of records waits for nobody. */
type RecordListener = (tx: Pick<Tx, 'defer' | 'onCommit'>, ownerId: Id, change: RecordChange) => void

const listeners = new Map<string, RecordListener[]>()

/** Hears of every write of the entity's records, in its transaction. Called once, as a module is loaded. */
export function onRecordsWritten(entity: string, listener: RecordListener): void {
  listeners.set(entity, [...(listeners.get(entity) ?? []), listener])
}

/** `table.ts` says so of what it writes; statements of a module's own must say so themselves. */
export function publishRecordsWritten(
  tx: Pick<Tx, 'defer' | 'onCommit'>,
  ownerId: Id,
  change: RecordChange,
): void {
  if (!change.ids.length) return
  for (const listener of listeners.get(change.entity) ?? []) {
    listener(tx, ownerId, change)
  }
}

export interface WrittenRow {
  readonly id: Id
  readonly projectCode?: string | undefined
}

/** The same for rows that may be of several projects. */
export function publishRowsWritten(
  tx: Pick<Tx, 'defer' | 'onCommit'>,
  ownerId: Id,
  written: Pick<RecordChange, 'entity' | 'action'>,
  rows: readonly WrittenRow[],
): void {
  for (const [projectCode, ofProject] of Map.groupBy(rows, row => row.projectCode)) {
    publishRecordsWritten(tx, ownerId, { ...written, ids: ofProject.map(({ id }) => id), projectCode })
  }
}
