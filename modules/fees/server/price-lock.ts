import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'

/**
 * A price was corrected or withdrawn after a bill was computed from it. PostgreSQL's serialization code makes
 * the transaction run again with the current prices.
 */
class PricesChangedError extends Error {
  readonly code = '40001'
}

/**
 * Locks the price versions that bills are computed from until the bills are written: 更正 and 撤销 (FEE-6) then
 * happen either before the computation or after the bills are visible. Throws for another try where a version
 * no longer exists.
 */
export async function lockPrices(tx: Tx, ownerId: Id, versions: readonly Id[]): Promise<void> {
  if (!versions.length) return
  const existing = await tx.rows(
    sql`
      select id
      from fee_standard_version
      where owner_id = ${ownerId} and id = any(${[...versions]}::bigint[]) and ${notDeleted()}
      order by id
      for share
    `,
  )
  if (existing.length < versions.length) throw new PricesChangedError('收费标准的价格刚刚更改，请再试一次')
}
