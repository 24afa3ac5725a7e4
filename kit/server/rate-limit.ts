import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import type { Call } from '#kit/contract/call.ts'
import { Refused, resultCode, type UnknownSecret } from '#kit/contract/wire.ts'
import { sql, type Database } from './db.ts'
import type { Caller } from './scope.ts'

/** HTTP 429: far beyond what people do; the call was not looked at. */
export class TooManyRequests extends Error {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds = 5) {
    super()
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface RateLimiter {
  /**
   * Refuses (10006) a call made more often than it declares: from one address before sign-in, by one operator
   * after it. Counted over all server processes.
   */
  checkCallLimit(call: Call, caller: Caller | undefined, ip: string): Promise<void>
  /**
   * Throws `TooManyRequests` where one operator, or one address without a session, sends more than any
   * screen does. Counted in this process.
   */
  throttle(caller: Caller | undefined, ip: string): void
}

/** A bucket that refills by `perSecond` up to `burst`. */
interface TokenBucket {
  tokens: number
  updatedAt: number
}

const bucketLimits = {
  operator: { perSecond: 50, burst: 1500 },
  address: { perSecond: 50, burst: 1500 },
} as const

/** Counts a key within its minute and returns how often it came. A minute begins with its first use. */
export async function countHit(database: Database, key: string, seconds = 60): Promise<number> {
  const row = await database.tx('*', tx =>
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
  return defined(row).hits
}

/** Wrong links and codes that strangers of one address may send in a minute, whatever they open. */
const maxMisses = 30

/**
 * What a stranger who may be guessing is answered: after many misses from one address, only that they are too
 * many. What is right is answered in any case: behind one address there may be a whole office.
 */
export async function missOf(database: Database, miss: UnknownSecret, ip: string): Promise<Refused> {
  const misses = await countHit(database, `miss ${ip}`)
  return misses > maxMisses ? new Refused(resultCode.rateLimited, '操作过于频繁，请稍后再试') : miss
}

/** How often a key has come within its minute, without counting this time. */
export async function hitsOf(database: Database, key: string, seconds = 60): Promise<number> {
  const row = await database.tx('*', tx =>
    tx.one<{ hits: number }>(sql`
      select hits from rate_count where key = ${key} and since > now() - make_interval(secs => ${seconds})
    `),
  )
  return row?.hits ?? 0
}

export function openRateLimiter(database: Database, clock: () => number): RateLimiter {
  const buckets = new Map<string, TokenBucket>()
  return {
    checkCallLimit: async (call, caller, ip) => {
      if (call.perMinute === undefined) return
      const clientKey = caller ? `${caller.ownerId}:${caller.operatorId}` : ip
      const key = createHash('sha256').update(`${call.route} ${clientKey}`).digest('base64url').slice(0, 24)
      if ((await countHit(database, key)) > call.perMinute)
        throw new Refused(resultCode.rateLimited, '操作过于频繁，请稍后再试')
    },
    throttle: (caller, ip) => {
      const key = caller ? `${caller.ownerId}:${caller.operatorId}` : ip
      const { perSecond, burst } = caller ? bucketLimits.operator : bucketLimits.address
      const now = clock()
      const bucket = buckets.get(key)
      if (!bucket) {
        if (buckets.size > 50_000) {
          buckets.clear()
        }
        buckets.set(key, { tokens: burst - 1, updatedAt: now })
        return
      }
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.updatedAt) / 1000) * perSecond)
      bucket.updatedAt = now
      if (bucket.tokens < 1) throw new TooManyRequests()
      bucket.tokens--
    },
  }
}
