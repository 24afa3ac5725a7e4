import { defined } from '#kit/domain/defined.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { codeOf } from '#kit/contract/field.ts'
import { messageChannel, type MessageChannel } from '../contract/choices.ts'

/**
 * Takes the next slots of a channel, for which all servers share one row. Answers in how many milliseconds
 * the first begins; each further one is `1000 / perSecond` later.
 */
export async function takeSlots(
  database: Database,
  channel: MessageChannel,
  count: number,
  perSecond: number,
): Promise<number> {
  const seconds = count / perSecond
  const row = await database.tx('*', tx =>
    tx.one<{ waitMs: number }>(sql`
      insert into message_pace as p (channel, next_time)
      values (${codeOf(messageChannel, channel)}, clock_timestamp() + make_interval(secs => ${seconds}))
      on conflict (channel) do update
      set next_time = greatest(p.next_time, clock_timestamp()) + make_interval(secs => ${seconds})
      returning (
        extract(epoch from next_time - clock_timestamp() - make_interval(secs => ${seconds})) * 1000
      )::float8 as wait_ms
    `),
  )
  return Math.max(0, defined(row).waitMs)
}
