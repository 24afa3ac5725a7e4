import { audit } from '#kit/server/audit.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { requestState } from '../contract/choices.ts'
import { erasureRequest, type ErasureRequest } from '../contract/erasure.ts'
import { personCode, withoutIdentifiers } from '../domain/identifiers.ts'
import { erasePerson, lockRows } from './erase.ts'
import { holdRows } from './holds.ts'
import { readEntry, type JournalEntry } from './journal.ts'
import type { KnownPerson } from './known-person.ts'
import { findMentions, type Mention } from './mentions.ts'
import type { ConfirmedRows, Person } from './person.ts'
import { reportPerson, type ReportLine } from './report.ts'

type ResultLine = NonNullable<ErasureRequest['result']>[number]

const resultLine = ({ label, rowCount, treatment, keptReason, keptUntil }: ReportLine): ResultLine => ({
  label,
  rowCount,
  treatment,
  ...(keptReason === undefined ? {} : { keptReason }),
  ...(keptUntil ? { keptUntil } : {}),
})

/**
 * Rows that nobody has confirmed, also those that were written since the approval: they stay as they are, and
 * are named, as nobody finds them by the person any more.
 */
function leftLines(mentions: readonly Mention[], confirmed: ConfirmedRows): ResultLine[] {
  const left = mentions.filter(each => !confirmed.get(each.tableName)?.includes(each.rowKey))
  return [...Map.groupBy(left, each => each.label)].map(([label, rows]) => ({
    label: `${label}（疑似记录，未确认）`,
    rowCount: rows.length,
    treatment: 'manual',
    numbers: rows.map(row => row.number),
  }))
}

export interface Execution {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly request: ErasureRequest
  readonly known: KnownPerson
  /** With the code and the confirmed rows. */
  readonly person: Person
  readonly installation: string
  /** The erasure that is repeated, with its own time. */
  readonly repeated?: JournalEntry
}

/** Erases the person and ends the request. Everything of the person is locked before. */
export async function carryOut(execution: Execution): Promise<JournalEntry> {
  const { tx, app, scope, request, known, person, installation, repeated } = execution
  const { tables } = known
  // What is left is counted before it is done: afterwards nobody finds the person any more.
  const lines = await reportPerson(tx, person, tables)
  const mentions = await findMentions(tx, { ...known.person, confirmed: new Map() }, tables)
  const rows = await lockRows(tx, person, tables)
  const entry =
    repeated ??
    (await readEntry(tx, { request, person, tables, rows, lines, installation, time: scope.time }))
  await holdRows(tx, person, request.id, tables, rows)
  await erasePerson(tx, app, person, tables, { rows, mentions })
  await audit(tx, scope, [
    {
      action: 'purge',
      entity: request.personKind,
      entityId: request.personId,
      reason: `${repeated ? '恢复备份后重新执行' : '执行'}删除请求 ${request.id}`,
      after: { tables: lines.length, rows: lines.reduce((sum, line) => sum + line.rowCount, 0) },
    },
  ])
  await finish(execution, entry, [...lines.map(resultLine), ...leftLines(mentions, person.confirmed)])
  return entry
}

/** The request itself keeps the person's code alone; its audit row says that it is done, and no name. */
async function finish(
  { tx, scope, request: { id, state: before, reason, applicantName }, person }: Execution,
  entry: JournalEntry,
  result: readonly ResultLine[],
): Promise<void> {
  const personText = personCode(id)
  const cleaned = (text: string): string => withoutIdentifiers(text, person.all, personText)
  await tx.execute(sql`
    update erasure_request
    set state = ${code(requestState, 'done')}, person_name = ${personText}, person_mobile = null,
      applicant_name = ${applicantName === undefined ? null : cleaned(applicantName)},
      reason = ${cleaned(reason)}, run_mentions = null,
      end_time = ${entry.time}::timestamptz, end_name = ${scope.name},
      result = ${JSON.stringify(result)}::jsonb, run_journal = ${JSON.stringify(entry)}::jsonb,
      version = version + 1, update_time = ${scope.time}::timestamptz, update_by = ${scope.operatorId}
    where owner_id = ${scope.ownerId} and id = ${id}
  `)
  await audit(tx, scope, [
    {
      action: 'state',
      entity: erasureRequest.name,
      entityId: id,
      before: { state: before },
      after: { state: 'done' },
      reason: '执行删除',
    },
  ])
}
