import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { activity, type Activity } from '../contract/activity.ts'
import { activityState } from '../contract/choices.ts'

export interface PlacesContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly now: Moment
}

/**
 * Every change of places begins with the row of the activity: one after the other, so that none is taken
 * twice and those who wait move up in order. The version stays: an open form is not out of date by a sign-up.
 */
export const lockActivity = ({ tx, scope }: PlacesContext, id: Id): Promise<Activity> =>
  requireById(tx, activity, scope, id, { lock: true })

/** Places for so many, if there are; none while others wait. Within the window of sign-up alone. */
export async function takePlaces(
  { tx, scope, now }: PlacesContext,
  id: Id,
  persons: number,
): Promise<boolean> {
  const taken = await tx.execute(sql`
    update activity
    set sign_count = sign_count + ${persons}::integer
    where owner_id = ${scope.ownerId}
      and id = ${id}
      and ${notDeleted()}
      and state = ${code(activityState, 'published')}
      and ${now}::timestamptz between sign_begin and sign_end
      and (quota = 0 or (wait_count = 0 and sign_count + ${persons}::integer <= quota))
  `)
  return taken > 0
}

export interface QueuePlace {
  readonly waitNo: number
  /** Somebody gave places back since there were none: they are for the queue. */
  readonly hasFree: boolean
}

/** A place in the queue; nothing where the activity has none. Locks the activity. */
export async function takeQueuePlace(
  { tx, scope, now }: PlacesContext,
  id: Id,
  persons: number,
): Promise<QueuePlace | undefined> {
  const queued = await tx.one<{ hasFree: boolean }>(sql`
    update activity
    set wait_count = wait_count + ${persons}::integer
    where owner_id = ${scope.ownerId}
      and id = ${id}
      and ${notDeleted()}
      and state = ${code(activityState, 'published')}
      and ${now}::timestamptz between sign_begin and sign_end
      and has_waiting
    returning sign_count < quota as has_free
  `)
  if (!queued) return undefined
  // Index: activity_sign_queue.
  const last = await tx.one<{ waitNo: number }>(sql`
    select coalesce(max(wait_no), 0) + 1 as wait_no
    from activity_sign
    where owner_id = ${scope.ownerId} and activity_id = ${id}
  `)
  return { ...queued, waitNo: last?.waitNo ?? 1 }
}

/** Gives places back: of who is signed, or of who waits. The activity is locked. */
export const returnPlaces = (
  { tx, scope }: PlacesContext,
  id: Id,
  { signed = 0, waiting = 0, checkedIn = 0 }: { signed?: number; waiting?: number; checkedIn?: number },
): Promise<number> =>
  tx.execute(sql`
    update activity
    set sign_count = sign_count - ${signed}::integer, wait_count = wait_count - ${waiting}::integer,
      check_in_count = check_in_count - ${checkedIn}::integer
    where owner_id = ${scope.ownerId} and id = ${id}
  `)
