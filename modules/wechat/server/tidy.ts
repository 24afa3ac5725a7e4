import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { deleteOldMessages } from './callback.ts'

/** Notes of messages that came, once the platform repeats them no more. */
export const tidyInbox = defineCron({
  name: 'wechat-inbox',
  schedule: '35 4 * * *',
  run: async ({ database, clock }) => {
    await forEachDueCompany(
      database,
      sql<{ ownerId: Id }>`
        select owner_id from wechat_inbox
        union
        select owner_id from wechat_job_report
      `,
      (tx, ownerId) => deleteOldMessages(tx, ownerId, clock()),
    )
  },
})
