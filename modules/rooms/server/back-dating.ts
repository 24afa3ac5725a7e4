import type { Id } from '#kit/domain/id.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Db } from '#kit/server/db.ts'
import { findClosedBooks, getSettingValuesByProject } from '#modules/estates/server/public.ts'
import { effectiveDateFault, type BackDating } from '../domain/effective-date.ts'
import { backDatingSetting } from './settings.ts'

/** How far back a change of each estate may reach (C27-7). */
export async function loadBackDating(
  db: Db,
  ownerId: Id,
  projects: readonly string[],
  today: Day,
): Promise<ReadonlyMap<string, BackDating>> {
  const projectCodes = [...new Set(projects)]
  const limits = await getSettingValuesByProject(db, ownerId, projectCodes, [backDatingSetting])
  const closedBooks = await findClosedBooks(db, ownerId, projectCodes)
  return new Map(
    projectCodes.map(project => [
      project,
      { today, maxDays: Number(defined(limits.get(project))[0]), ...closedBooks.get(project) },
    ]),
  )
}

interface DatedChange {
  readonly project: string
  readonly day: Day
}

/** Refuses changes that reach too far back, at the field that the day was entered in. */
export async function assertEffectiveDates(
  db: Db,
  ownerId: Id,
  changes: readonly DatedChange[],
  today: Day,
  field: string,
): Promise<void> {
  const late = changes.filter(change => change.day < today)
  if (!late.length) return
  const backDating = await loadBackDating(
    db,
    ownerId,
    late.map(change => change.project),
    today,
  )
  const faults = late.flatMap(
    ({ project, day }) => effectiveDateFault(day, defined(backDating.get(project))) ?? [],
  )
  const [message] = faults
  if (message) throw invalidField(field, message)
}
