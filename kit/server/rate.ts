import { createHash } from 'node:crypto'
import type { Call } from '#kit/contract/call.ts'
import { Refused, code } from '#kit/contract/wire.ts'
import { sql, type Store } from './db.ts'
import type { Caller } from './scope.ts'

/** HTTP 429: far beyond what people do; the call was not looked at. */
export class Flood extends Error {}

export interface Rates {
  /**
   * Refuses (10006) a call made more often than it declares: from one address before sign-in, by one operator
   * after it. Counted over all server processes.
   */
  spend(call: Call, caller: Caller | undefined, ip: string): Promise<void>
  /**
   * Throws `Flood` where one operator, or one address without a session, sends more than any screen does.
   * Counted in this process.
   */
  brake(caller: Caller | undefined, ip: string): void
}

/** A bucket that refills by `perSecond` up to `most`. */
interface Bucket {
  left: number
  at: number
}

const bounds = { operator: { perSecond: 50, most: 1500 }, address: { perSecond: 50, most: 1500 } } as const

/** Counts a key within its minute and answers how often it came. A minute begins with its first use. */
export async function count(store: Store, key: string, seconds = 60): Promise<number> {
  const row = await store.tx('*', tx =>
    tx.one<{
      hits: number
    }>(sql`
      insert into rate_count as r (key)
      values (${key})
      on conflict (key) do update set hits = case
        when r.since > now() - make_interval(secs => ${seconds}) then r.hits + 1
        else 1
        end,
        since = case when r.since > now() - make_interval(secs => ${seconds}) then r.since else now() end
      returning hits
    `),
  )
  return row!.hits
}

export function openRates(store: Store, clock: () => number): Rates {
  const buckets = new Map<string, Bucket>()
  return {
    spend: async (call, caller, ip) => {
      if (call.perMinute === undefined) return
      const who = caller ? `${caller.ownerId}:${caller.operatorId}` : ip
      const key = createHash('sha256').update(`${call.at} ${who}`).digest('base64url').slice(0, 24)
      if ((await count(store, key)) > call.perMinute)
        throw new Refused(code.often, '操作过于频繁，请稍后再试')
    },
    brake: (caller, ip) => {
      const key = caller ? `${caller.ownerId}:${caller.operatorId}` : ip
      const { perSecond, most } = caller ? bounds.operator : bounds.address
      const now = clock()
      const b = buckets.get(key)
      if (!b) {
        if (buckets.size > 50_000) {
          buckets.clear()
        }
        buckets.set(key, { left: most - 1, at: now })
        return
      }
      b.left = Math.min(most, b.left + ((now - b.at) / 1000) * perSecond)
      b.at = now
      if (b.left < 1) throw new Flood()
      b.left--
    },
  }
}
