import { sql, type Tx } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'

/**
 * A price was put right or taken back after it was read for a bill: the transaction is tried again, and reads
 * what holds now.
 */
class PricesChangedError extends Error {
  readonly code = '40001'
}

/**
 * Whoever writes bills holds the prices they were made by until they are there: 更正 and 撤销 (FEE-6) come before
 * the bills were reckoned or after they can be seen, never between. Throws where one is gone; PostgreSQL's
 * own code for it, so that whoever reckons in his transaction is simply asked again.
 */
export async function lockPrices(tx: Tx, owner: number, versions: readonly number[]): Promise<void> {
  if (!versions.length) return
  const there = await tx.rows(
    sql`
      select id
      from fee_standard_version
      where owner_id = ${owner} and id = any(${[...versions]}::bigint[]) and ${live()}
      order by id
      for share
    `,
  )
  if (there.length < versions.length) throw new PricesChangedError('收费标准的价格刚刚更改，请再试一次')
}
