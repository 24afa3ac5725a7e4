import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'

/** What a counter takes money with: the channels of the company, and two terminals in each estate. */
export async function seedCounters(tx: Tx, ownerId: Id, projects: readonly string[]): Promise<void> {
  // The gateway simulator of this machine stands for the channels until the company enters its own
  // accounts.
  await tx.execute(
    sql`
      insert into pay_channel (owner_id, channel, simulated, enabled)
      values (${ownerId}, 10, true, true), (${ownerId}, 20, true, true), (${ownerId}, 30, true, true)
    `,
  )
  await tx.execute(
    sql`
      insert into pos_terminal (owner_id, project_code, terminal_no, name, place)
      select ${ownerId}::bigint, p.code,
        'P' || lpad((row_number() over (order by p.code, n))::text, 7, '0'), '前台 ' || n || ' 号机',
        case n when 1 then '客服中心前台' else '财务室' end
      from unnest(${projects}::text[]) as p(code), generate_series(1, 2) n
    `,
  )
}
