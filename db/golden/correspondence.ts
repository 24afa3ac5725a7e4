import type { Day } from '#kit/contract/field.ts'
import type { Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { seedFollowUps } from './follow-ups.ts'
import { seedMessages } from './messages.ts'
import { seedPersonalData } from './personal-data.ts'

/** What was sent to people, what came of it, and what they asked for. */
export async function seedCorrespondence(
  database: Database,
  scope: Scope,
  project: string,
  today: Day,
): Promise<void> {
  await seedMessages(database, scope.ownerId, project)
  await seedFollowUps(database, scope, project, today)
  await seedPersonalData(database, scope, project, today)
}
