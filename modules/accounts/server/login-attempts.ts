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

/** Whether a try may go on to the password, or why not. */
export type AttemptClaim =
  | { readonly isAllowed: true; readonly attempts: LoginAttempts }
  | { readonly isAllowed: false; readonly why: 'locked' | 'captcha'; readonly attempts: LoginAttempts }

// Hashed: people type passwords into the account field.
const hashAttemptName = (name: string): Buffer =>
  createHash('sha256').update(name.trim().toLowerCase()).digest()
const toTimestamp = (m: Moment | undefined): string | null => (m === undefined ? null : `${m}+08`)

const lockAttempts = (
  tx: Tx,
  key: Buffer,
): Promise<{ failures: number; last: Moment; lockUntil?: Moment } | undefined> =>
  tx.one(sql`select failures, last_time as last, lock_until from login_attempt where key = ${key} for update`)

/**
 * Counts a try as failed before the password is verified, so that a hundred guesses at once get no more tries
 * than a hundred in turn (PERM-9). Commits on its own: the count stays although the sign-in is refused.
 * Success clears it (`clearAttempts`).
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
    const before = await lockAttempts(tx, key)
    if (before && isLocked(before, now)) return { isAllowed: false, why: 'locked', attempts: before }
    if (before && needsCaptcha(before, now) && captcha === 'none')
      return { isAllowed: false, why: 'captcha', attempts: before }
    const attempts = recordFailure(before, now)
    await tx.execute(
      sql`
        update login_attempt
        set failures = ${attempts.failures}, last_time = ${toTimestamp(attempts.last)},
          lock_until = ${toTimestamp(attempts.lockUntil)}
        where key = ${key}
      `,
    )
    return { isAllowed: true, attempts }
  })

/**
 * The password was right: the count starts anew. Deletes some old counts of others too, but none that is
 * locked by a try under way.
 */
export const clearAttempts = (database: Database, clock: number, name: string): Promise<void> =>
  database.tx('*', async tx => {
    await tx.execute(sql`delete from login_attempt where key = ${hashAttemptName(name)}`)
    await tx.execute(
      sql`
        delete from login_attempt
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

/** Takes one counted try back: the password was right and only the second factor is missing. */
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
