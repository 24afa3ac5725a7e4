import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll, recordsetOf } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { meterReading } from '../contract/meter.ts'
import type { ReadingBook, BookReading } from './reading-book.ts'

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

/**
 * Writes what became of a book: one statement for new readings, one for those that moved, one for those that
 * go (abolished, MTR-9). Answers the ids of the new ones by their place in the book. The meters are locked by
 * the book.
 */
export async function saveBook(
  tx: Tx,
  scope: Scope,
  book: ReadingBook,
  how: { readonly reason?: string | undefined; readonly quiet?: boolean } = {},
): Promise<ReadonlyMap<number, number>> {
  const leafOf = new Map([...book.meters.values()].flatMap(l => l.rows.map(r => [r, l] as const)))
  const changed = [...book.changed].filter(r => leafOf.has(r))
  const fresh = changed.filter(r => r.id < 0)
  const moved = changed.filter(r => r.id > 0)
  const gone = [...book.removed]
  // First those that go: their day is free for others.
  if (gone.length) {
    await tx.execute(
      sql`
        update meter_reading
        set state = 30, delete_tag = 1, ${touch(scope)}
        where owner_id = ${scope.ownerId}
          and id = any(${gone.map(r => r.id)})
          and state = 10
          and ${live()}
      `,
    )
  }
  if (moved.length) {
    const { columns, as } = recordsetOf(meterReading, moved.map(pickValues))
    const cols = writtenKeys.map(k => k.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`))
    await tx.execute(sql`
      update meter_reading t
      set ${sql.join(cols.map(c => (columns.includes(c) ? sql`${sql.id(c)} = x.${sql.id(c)}` : sql`${sql.id(c)} = null`)))},
        ${touch(scope, 't')}
      from (
        select r.*, w.id as wanted
        from (select *, row_number() over () as n from ${as}) r
        join unnest(${moved.map(r => r.id)}::bigint[]) with ordinality w(id, n) on w.n = r.n
      ) x
      where t.owner_id = ${scope.ownerId} and t.id = x.wanted
    `)
  }
  const ids = await insertAll(
    tx,
    meterReading,
    scope,
    fresh.map(r => {
      const { meter: m } = leafOf.get(r)!
      return {
        ...pickValues(r),
        projectCode: m.projectCode,
        meterId: m.id,
        meterNo: m.meterNo,
        meterKind: m.meterKind,
        buildCode: m.buildCode,
        readerId: r.readerId,
        source: r.source,
        state: 'open',
      }
    }),
  )
  if (fresh.length) {
    await tx.execute(
      sql`
        delete
        from meter_unread u
        using unnest(
          ${fresh.map(r => leafOf.get(r)!.meter.id)}::bigint[], ${fresh.map(r => r.month)}::text[]
        ) as x(id, month)
        where u.owner_id = ${scope.ownerId} and u.meter_id = x.id and u.month = x.month
      `,
    )
  }
  const acts = how.quiet
    ? []
    : [
        ...moved.map(r => ({
          action: 'update' as const,
          entity: 'meterReading',
          entityId: r.id,
          projectCode: leafOf.get(r)!.meter.projectCode,
          before: book.previous.get(r.id) ?? {},
          after: {
            curNum: r.curNum,
            readDate: r.readDate,
            lastNum: r.lastNum,
            lastDate: r.lastDate,
            usage: r.usage,
            isRollover: r.isRollover,
            anomalies: r.anomalies,
            confirmed: r.confirmed,
          },
          reason: how.reason,
        })),
        ...gone.map(r => ({
          action: 'delete' as const,
          entity: 'meterReading',
          entityId: r.id,
          projectCode: projectOf(book),
          before: { curNum: r.curNum, readDate: r.readDate, usage: r.usage, month: r.month },
          reason: how.reason,
        })),
      ]
  await audit(tx, scope, acts)
  return new Map(fresh.map((r, i) => [r.id, ids[i]!]))
}

const projectOf = (book: ReadingBook): string | undefined =>
  book.meters.values().next().value?.meter.projectCode
