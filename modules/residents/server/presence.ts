import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { residencyStatus } from '../contract/labels.ts'
import type { MoveContext } from './move-steps.ts'

type Sql = RawBuilder<unknown>

interface PresenceQuery {
  readonly ownerId: Id
  readonly projectCode: string
  readonly today: string
}

/** Another reason than a home why people are in a project: selects `user_id`. */
type Presence = (query: PresenceQuery) => Sql

const presences: Presence[] = []

/** Called once, when a module is loaded. */
export const registerPresence = (presence: Presence): void => void presences.push(presence)

const userIdsOf = (context: MoveContext): Id[] => context.residencies.map(r => r.userId)

/** People of the move without another home in the project or the company. */
export const withoutHomeIn = (place: 'project' | 'company', context: MoveContext): Sql =>
  sql`u.id = any(${userIdsOf(context)})
    and not exists (
      select 1
      from user_room l
      where l.owner_id = ${context.scope.ownerId}
        and l.user_id = u.id
        and ${notDeleted('l')}
        and l.status = ${code(residencyStatus, 'living')}
        and l.room_id <> ${context.room.id} ${place === 'project' ? sql`and l.project_code = ${context.room.projectCode}` : sql``}
    )`

/** The same of those who have no other reason to be in the project, either: they do not work there. */
export const leavingProject = (context: MoveContext): Sql => {
  const query = {
    ownerId: context.scope.ownerId,
    projectCode: context.room.projectCode,
    today: context.today,
  }
  return sql.join(
    [withoutHomeIn('project', context), ...presences.map(presence => sql`u.id not in (${presence(query)})`)],
    sql` and `,
  )
}
