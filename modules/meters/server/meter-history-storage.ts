import { asId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { audit, type AuditEntry } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll, recordsetOf } from '#kit/server/table.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { readingState } from '../contract/choices.ts'
import { meterReading } from '../contract/meter.ts'
import type { ReadingKey } from '../domain/reading.ts'
import type { BookMeter, BookReading, ReadingBook } from './meter-history.ts'

const writtenKeys = [
  'month',
  'readDate',
  'curNum',
  'isEstimate',
  'isBase',
  'isRollover',
  'multiple',
  'loss',
  'registers',
  'photo',
  'remark',
  'lastNum',
  'lastDate',
  'usage',
  'replacedUsage',
  'anomalies',
  'confirmed',
] as const

const pickValues = (r: BookReading): object => Object.fromEntries(writtenKeys.map(k => [k, r[k]]))

interface SaveOptions {
  readonly reason?: string | undefined
  /** Without audit entries: the caller writes one of its own. */
  readonly quiet?: boolean
}

/**
 * Writes a changed book: one statement each for removed (abolished, MTR-9), changed and new readings. Returns
 * the ids of the new ones by their temporary ids. The book has locked the meters.
 */
export async function saveBook(
  tx: Tx,
  scope: Scope,
  book: ReadingBook,
  { reason, quiet }: SaveOptions = {},
): Promise<ReadonlyMap<ReadingKey, Id>> {
  const meterOf = new Map([...book.meters.values()].flatMap(m => m.rows.map(r => [r, m] as const)))
  const written = [...book.changed].filter(r => meterOf.has(r))
  const added = written.filter(r => r.id < 0)
  const changed = written.filter(r => r.id > 0)
  const removed = [...book.removed]
  // Removed ones first: their days become free for others.
  await abolishReadings(tx, scope, removed)
  await updateReadings(tx, scope, changed)
  const ids = await insertReadings(tx, scope, added, meterOf)
  if (!quiet) {
    await audit(tx, scope, [
      ...changed.map(r => describeChange(r, book, defined(meterOf.get(r)), reason)),
      ...removed.map(r => describeRemoval(r, book, reason)),
    ])
  }
  return new Map(added.map((r, i) => [r.id, defined(ids[i])]))
}

async function abolishReadings(tx: Tx, scope: Scope, removed: readonly BookReading[]): Promise<void> {
  if (!removed.length) return
  await tx.execute(
    sql`
      update meter_reading
      set state = ${code(readingState, 'abolished')}, delete_tag = 1, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and id = any(${removed.map(r => r.id)})
        and state = ${code(readingState, 'open')}
        and ${notDeleted()}
    `,
  )
}

async function updateReadings(tx: Tx, scope: Scope, changed: readonly BookReading[]): Promise<void> {
  if (!changed.length) return
  const { columns, as } = recordsetOf(meterReading, changed.map(pickValues))
  const assignments = writtenKeys.map(key => {
    const column = columnOf(key)
    return columns.includes(column)
      ? sql`${sql.id(column)} = x.${sql.id(column)}`
      : sql`${sql.id(column)} = null`
  })
  await tx.execute(sql`
    update meter_reading t
    set ${sql.join(assignments)}, ${touch(scope, 't')}
    from (
      select r.*, w.id as reading_id
      from (select *, row_number() over () as n from ${as}) r
      join unnest(${changed.map(r => r.id)}::bigint[]) with ordinality w(id, n) on w.n = r.n
    ) x
    where t.owner_id = ${scope.ownerId} and t.id = x.reading_id
  `)
}

/** New readings, in their order; a reason for not reading the meter in that month no longer holds. */
async function insertReadings(
  tx: Tx,
  scope: Scope,
  added: readonly BookReading[],
  meterOf: ReadonlyMap<BookReading, BookMeter>,
): Promise<readonly Id[]> {
  const ids = await insertAll(
    tx,
    meterReading,
    scope,
    added.map(reading => {
      const { meter } = defined(meterOf.get(reading))
      return {
        ...pickValues(reading),
        projectCode: meter.projectCode,
        meterId: meter.id,
        meterNo: meter.meterNo,
        meterKind: meter.meterKind,
        buildCode: meter.buildCode,
        readerId: reading.readerId,
        source: reading.source,
        state: 'open',
      }
    }),
  )
  if (added.length) {
    await tx.execute(
      sql`
        delete
        from meter_unread u
        using unnest(
          ${added.map(r => defined(meterOf.get(r)).meter.id)}::bigint[], ${added.map(r => r.month)}::text[]
        ) as x(id, month)
        where u.owner_id = ${scope.ownerId} and u.meter_id = x.id and u.month = x.month
      `,
    )
  }
  return ids
}

const describeChange = (
  reading: BookReading,
  book: ReadingBook,
  { meter }: BookMeter,
  reason: string | undefined,
): AuditEntry => ({
  action: 'update',
  entity: 'meterReading',
  entityId: asId(reading.id),
  projectCode: meter.projectCode,
  before: book.previous.get(reading.id) ?? {},
  after: {
    curNum: reading.curNum,
    readDate: reading.readDate,
    lastNum: reading.lastNum,
    lastDate: reading.lastDate,
    usage: reading.usage,
    isRollover: reading.isRollover,
    anomalies: reading.anomalies,
    confirmed: reading.confirmed,
  },
  reason,
})

const describeRemoval = (
  reading: BookReading,
  book: ReadingBook,
  reason: string | undefined,
): AuditEntry => ({
  action: 'delete',
  entity: 'meterReading',
  entityId: asId(reading.id),
  projectCode: firstProjectOf(book),
  before: { curNum: reading.curNum, readDate: reading.readDate, usage: reading.usage, month: reading.month },
  reason,
})

const firstProjectOf = (book: ReadingBook): string | undefined =>
  book.meters.values().next().value?.meter.projectCode
