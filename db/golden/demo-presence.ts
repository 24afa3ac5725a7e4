import { openDatabase, sql } from '#kit/server/db.ts'
import { demoLogins } from '#modules/accounts/domain/demo-account.ts'

/** Whether the demo's accounts are in the database. A company of it that was imported alone is no demo. */
export async function hasDemo(url: string): Promise<boolean> {
  const database = openDatabase(url, { pool: 1, bulk: 1 })
  try {
    const found = await database.reader('*').one<{ count: number }>(
      sql`
        select count(distinct owner_id)::integer as count
        from manager
        where login_code = any(${[demoLogins.main, demoLogins.small]}) and delete_tag = 0
      `,
    )
    return found?.count === 2
  } finally {
    await database.close()
  }
}
