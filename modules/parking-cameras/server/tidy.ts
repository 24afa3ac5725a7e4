import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, touch } from '#kit/server/sql.ts'
import { readingState } from '../contract/choices.ts'
import { signatureSeconds } from './authenticate.ts'

/** Nobody waits so long at a barrier: what is not checked by then is no question any more. */
const checkMinutes = 15
/** Longer than the times of two signatures that both hold can be apart. */
const nonceSeconds = signatureSeconds * 3

/** Readings that nobody checked, and nonces whose signatures are too old to be used again. */
export const tidyReadings = defineInterval({
  name: 'park-cameras',
  everyMs: 60_000,
  run: async app => {
    const { database, clock } = app
    const oldNonce = sql`used_time < ${new Date(clock() - nonceSeconds * 1000)}::timestamptz`
    await forEachDueCompany(
      database,
      sql<{ ownerId: Id }>`select distinct owner_id from park_camera_nonce where ${oldNonce}`,
      (tx, ownerId) =>
        tx.execute(sql`delete from park_camera_nonce where owner_id = ${ownerId} and ${oldNonce}`),
    )
    const unchecked = sql`
      state = ${code(readingState, 'toCheck')}
      and read_time < ${new Date(clock() - checkMinutes * 60_000)}::timestamptz
    `
    await forEachDueCompany(
      database,
      sql<{ ownerId: Id }>`select distinct owner_id from park_camera_reading where ${unchecked}`,
      (tx, ownerId) =>
        tx.execute(sql`
          update park_camera_reading
          set state = ${code(readingState, 'lapsed')}, ${touch(clockScope(app, ownerId))}
          where owner_id = ${ownerId} and ${unchecked}
        `),
    )
  },
})
