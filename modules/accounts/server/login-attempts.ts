import { createHash } from 'node:crypto'
import type { Moment } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import {
  closeToStrangersAfter,
  forgetFailuresHours,
  isLocked,
  mergeAttempts,
  needsCaptcha,
  recordFailure,
  type LoginAttempts,
} from '../domain/login-attempts.ts'

/** Whether a try may go on to the password, or why not. */
export type AttemptClaim =
  | { readonly isAllowed: true; readonly attempts: LoginAttempts }
  | {
      readonly isAllowed: false
      readonly why: 'locked' | 'closed' | 'captcha'
      readonly attempts: LoginAttempts
    }

/**
 * Where attempts are counted: `own` by device, or by account and address; `account` for unknown devices
 * together. `isKnown` marks an unknown device at a known address: the account's count does not delay it.
 */
export interface AttemptKeys {
  readonly own: string
  readonly account?: string
  readonly isKnown?: boolean
}

/** The counters of a sign-in. */
export const signInKeys = (
  name: string,
  ip: string,
  device: string | undefined,
  isKnown = false,
): AttemptKeys =>
  device ? { own: `${name} device ${device}` } : { own: `${name} from ${ip}`, account: name, isKnown }

// Hashed: people type passwords into the account field.
const hashAttemptName = (name: string): Buffer =>
  createHash('sha256').update(name.trim().toLowerCase()).digest()
const toTimestamp = (m: Moment | undefined): string | null => (m === undefined ? null : `${m}+08`)

const namesOf = ({ own, account }: AttemptKeys): string[] => (account === undefined ? [own] : [own, account])

/** The counters by name, locked in an order that is everyone's. */
async function lockAttempts(
  tx: Tx,
  names: readonly string[],
  now: Moment,
): Promise<(LoginAttempts | undefined)[]> {
  const keys = names.map(hashAttemptName)
  const sorted = keys.toSorted((a, b) => Buffer.compare(a, b))
  await tx.execute(
    sql`
      insert into login_attempt (key, failures, last_time)
      select k, 0, ${toTimestamp(now)}::timestamptz
      from unnest(${sorted}::bytea[]) as k
      on conflict do nothing
    `,
  )
  const rows = await tx.rows<LoginAttempts & { key: Buffer }>(
    sql`
      select key, failures, last_time as last, lock_until
      from login_attempt
      where key = any(${sorted}::bytea[])
      order by key
      for update
    `,
  )
  return keys.map(key => rows.find(row => row.key.equals(key)))
}

const saveAttempts = (tx: Tx, name: string, attempts: LoginAttempts): Promise<number> =>
  tx.execute(
    sql`
      update login_attempt
      set failures = ${attempts.failures}, last_time = ${toTimestamp(attempts.last)},
        lock_until = ${toTimestamp(attempts.lockUntil)}
      where key = ${hashAttemptName(name)}
    `,
  )

/**
 * Counts a try as failed before the password is verified, so that a hundred guesses at once get no more tries
 * than a hundred in turn (PERM-9). Commits on its own: the count stays although the sign-in is refused.
 * Success clears it (`clearAttempts`).
 */
export const claimAttempt = (
  database: Database,
  clock: number,
  keys: AttemptKeys,
  captcha: 'read' | 'none',
): Promise<AttemptClaim> =>
  database.tx('*', async tx => {
    const now = fromInstant(clock)
    const [own, account] = await lockAttempts(tx, namesOf(keys), now)
    const strangers = keys.isKnown ? undefined : account
    const before = mergeAttempts(own ?? { failures: 0, last: now }, strangers, now)
    if (isLocked(own, now)) return { isAllowed: false, why: 'locked', attempts: before }
    if (strangers && isLocked(strangers, now))
      return { isAllowed: false, why: 'closed', attempts: { ...before, lockUntil: strangers.lockUntil } }
    if (captcha === 'none' && (needsCaptcha(own, now) || needsCaptcha(strangers, now)))
      return { isAllowed: false, why: 'captcha', attempts: before }
    const counted = recordFailure(own, now)
    await saveAttempts(tx, keys.own, counted)
    const total = keys.account === undefined ? undefined : recordFailure(account, now, closeToStrangersAfter)
    if (keys.account !== undefined && total) {
      await saveAttempts(tx, keys.account, total)
    }
    return { isAllowed: true, attempts: mergeAttempts(counted, keys.isKnown ? undefined : total, now) }
  })

/**
 * The password was right: the count is reset. Deletes some old counts of others too, but none that is locked
 * by a try under way.
 */
export const clearAttempts = (database: Database, clock: number, keys: AttemptKeys): Promise<void> =>
  database.tx('*', async tx => {
    const hashes = namesOf(keys).map(hashAttemptName)
    await lockAttempts(tx, namesOf(keys), fromInstant(clock))
    await tx.execute(sql`delete from login_attempt where key = any(${hashes}::bytea[])`)
    await tx.execute(
      sql`
        delete from login_attempt
        where key = any(array(
          select key
          from login_attempt
          where last_time < ${new Date(clock - forgetFailuresHours * 3_600_000)}
          limit 200
          for update skip locked
        ))
      `,
    )
  })

/** Takes one counted try back: the password was right and only the second factor is missing. */
export const undoAttempt = (database: Database, clock: number, keys: AttemptKeys): Promise<number> =>
  database.tx('*', async tx => {
    const hashes = namesOf(keys).map(hashAttemptName)
    await lockAttempts(tx, namesOf(keys), fromInstant(clock))
    return tx.execute(
      sql`
        update login_attempt
        set failures = greatest(failures - 1, 0), lock_until = null
        where key = any(${hashes}::bytea[])
      `,
    )
  })
