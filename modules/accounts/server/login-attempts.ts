import { createHash } from 'node:crypto'
import type { Moment } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import {
  recordFailure,
  forgetFailuresHours,
  isLocked,
  needsCaptcha,
  type LoginAttempts,
} from '../domain/login-attempts.ts'

/** A try that may go on to the password, or why it may not. */
export type AttemptClaim =
  | { readonly may: true; readonly attempts: LoginAttempts }
  | { readonly may: false; readonly why: 'locked' | 'captcha'; readonly attempts: LoginAttempts }

// Hashed: people type passwords into the account's box.
const hashAttemptName = (name: string): Buffer =>
  createHash('sha256').update(name.trim().toLowerCase()).digest()
const toTimestamp = (m: Moment | undefined): string | null => (m === undefined ? null : `${m}+08`)

const lockAttempts = (
  tx: Tx,
  key: Buffer,
): Promise<{ failures: number; last: Moment; lockUntil?: Moment } | undefined> =>
  tx.one(sql`select failures, last_time as last, lock_until from login_attempt where key = ${key} for update`)

/**
 * Counts a try as failed before the password is looked at, so that a hundred at once get no more looks than a
 * hundred in turn (PERM-9). Commits on its own: the count stays although the sign-in is refused. A try that
 * succeeds wipes it.
 */
export const claimAttempt = (
  database: Database,
  clock: number,
  name: string,
  captcha: 'read' | 'none',
): Promise<AttemptClaim> =>
  database.tx('*', async tx => {
    const key = hashAttemptName(name)
    const now = fromInstant(clock)
    await tx.execute(
      sql`
        insert into login_attempt (key, failures, last_time)
        values (${key}, 0, ${toTimestamp(now)})
        on conflict do nothing
      `,
    )
    const was = await lockAttempts(tx, key)
    if (was && isLocked(was, now)) return { may: false, why: 'locked', attempts: was }
    if (was && needsCaptcha(was, now) && captcha === 'none')
      return { may: false, why: 'captcha', attempts: was }
    const is = recordFailure(was, now)
    await tx.execute(
      sql`
        update login_attempt
        set failures = ${is.failures}, last_time = ${toTimestamp(is.last)},
          lock_until = ${toTimestamp(is.lockUntil)}
        where key = ${key}
      `,
    )
    return { may: true, attempts: is }
  })

/**
 * The password was right after all: the count starts anew. Old counts of others go along, as long as nobody
 * holds them.
 */
export const clearAttempts = (database: Database, clock: number, name: string): Promise<void> =>
  database.tx('*', async tx => {
    await tx.execute(sql`delete from login_attempt where key = ${hashAttemptName(name)}`)
    await tx.execute(
      sql`
        delete
        from login_attempt
        where key in (
          select key
          from login_attempt
          where last_time < ${new Date(clock - forgetFailuresHours * 3_600_000)}
          limit 200
          for update skip locked
        )
      `,
    )
  })

/** Takes one counted try back: it was right so far and only waits for its second factor. */
export const undoAttempt = (database: Database, name: string): Promise<number> =>
  database.tx('*', tx =>
    tx.execute(
      sql`
        update login_attempt
        set failures = greatest(failures - 1, 0), lock_until = null
        where key = ${hashAttemptName(name)}
      `,
    ),
  )
