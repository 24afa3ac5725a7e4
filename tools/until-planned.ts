import { expect, vi } from 'vitest'
import { sql, type Database } from '#kit/server/db.ts'

/** What the sample data has marked for devices of doors is computed as the server starts. */
export const untilPlanned = (database: Database): Promise<void> =>
  vi.waitFor(
    async () => {
      const reader = database.reader('*')
      expect(await reader.one(sql`select 1 as found from access_dirty limit 1`)).toBeUndefined()
    },
    { timeout: 60_000 },
  )
