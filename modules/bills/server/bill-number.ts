import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'

const formatNumber = (prefix: string, day: Day, n: number): string =>
  `${prefix}${day.replaceAll('-', '')}${String(n).padStart(6, '0')}`

/**
 * The next `count` numbers of a day, prefix + yyyyMMdd + six digits (G-14). Numbers of a transaction that
 * fails are gaps.
 */
export async function nextNumbers(
  tx: Pick<Tx, 'one'>,
  owner: Id,
  prefix: 'ZD' | 'PC',
  day: Day,
  count: number,
): Promise<string[]> {
  if (count < 1) return []
  const { last } = defined(
    await tx.one<{ last: number }>(
      sql`
      insert into bill_counter as c (owner_id, prefix, day, last)
      values (${owner}, ${prefix}, ${day}, ${count})
      on conflict (owner_id, prefix, day) do update set last = c.last + excluded.last
      returning last
    `,
    ),
  )
  return Array.from({ length: count }, (_, i) => formatNumber(prefix, day, last - count + 1 + i))
}

/**
 * Allocates numbers for long tasks, thousands at a time in a transaction of their own, so that one run
 * does not block another until its chunk is written.
 */
export function createNumberAllocator(
  database: Database,
  owner: Id,
  day: Day,
  atOnce = 2000,
): (count: number) => Promise<string[]> {
  let left: string[] = []
  return async count => {
    if (left.length < count) {
      left = [
        ...left,
        ...(await database.tx(owner, tx => nextNumbers(tx, owner, 'ZD', day, Math.max(atOnce, count)))),
      ]
    }
    return left.splice(0, count)
  }
}
