import { createHash } from 'node:crypto'
import type { Moment } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Store, type Tx } from '#kit/server/db.ts'
import { failed, forgetHours, locked, needsCaptcha, type Attempts } from '../domain/attempts.ts'

/** A try that may go on to the password, or why it may not. */
export type Claim =
  | { readonly may: true; readonly attempts: Attempts }
  | { readonly may: false; readonly why: 'locked' | 'captcha'; readonly attempts: Attempts }

// Hashed: people type passwords into the account's box.
const keyOf = (name: string): Buffer => createHash('sha256').update(name.trim().toLowerCase()).digest()
const instant = (m: Moment | undefined): string | null => (m === undefined ? null : `${m}+08`)

const read = (
  tx: Tx,
  key: Buffer,
): Promise<{ failures: number; last: Moment; lockUntil?: Moment } | undefined> =>
  tx.one(sql`select failures, last_time as last, lock_until from login_attempt where key = ${key} for update`)

/**
 * Counts a try as failed before the password is looked at, so that a hundred at once get no more looks than a
 * hundred in turn (PERM-9). Commits on its own: the count stays although the sign-in is refused. A try that
 * succeeds wipes it.
 */
export const claimTry = (
  store: Store,
  clock: number,
  name: string,
  captcha: 'read' | 'none',
): Promise<Claim> =>
  store.tx('*', async tx => {
    const key = keyOf(name)
    const now = fromInstant(clock)
    await tx.run(
      sql`
        insert into login_attempt (key, failures, last_time)
        values (${key}, 0, ${instant(now)})
        on conflict do nothing
      `,
    )
    const was = await read(tx, key)
    if (was && locked(was, now)) return { may: false, why: 'locked', attempts: was }
    if (was && needsCaptcha(was, now) && captcha === 'none')
      return { may: false, why: 'captcha', attempts: was }
    const is = failed(was, now)
    await tx.run(
      sql`
        update login_attempt
        set failures = ${is.failures}, last_time = ${instant(is.last)},
          lock_until = ${instant(is.lockUntil)}
        where key = ${key}
      `,
    )
    return { may: true, attempts: is }
  })

/**
 * The password was right after all: the count starts anew. Old counts of others go along, as long as nobody
 * holds them.
 */
export const wipeTries = (store: Store, clock: number, name: string): Promise<void> =>
  store.tx('*', async tx => {
    await tx.run(sql`delete from login_attempt where key = ${keyOf(name)}`)
    await tx.run(
      sql`
        delete
        from login_attempt
        where key in (
          select key
          from login_attempt
          where last_time < ${new Date(clock - forgetHours * 3_600_000)}
          limit 200
          for update skip locked
        )
      `,
    )
  })

/** Takes one counted try back: it was right so far and only waits for its second factor. */
export const takeBack = (store: Store, name: string): Promise<number> =>
  store.tx('*', tx =>
    tx.run(
      sql`
        update login_attempt
        set failures = greatest(failures - 1, 0), lock_until = null
        where key = ${keyOf(name)}
      `,
    ),
  )
