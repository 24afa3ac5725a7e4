import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import { residencyStatus } from '../contract/labels.ts'
import type { MoveContext } from './move-steps.ts'

type Sql = RawBuilder<unknown>

interface PresenceQuery {
  readonly ownerId: Id
  /** Any project of the company without it. */
  readonly projectCode?: string | undefined
  readonly today: string
  /** As if the people of this company had left it. */
  readonly leavingCompanyId?: Id | undefined
}

/** The rows of `alias` that are of the project, if one is asked for. */
export const ofProject = (alias: 'l' | 'w', { projectCode }: Pick<PresenceQuery, 'projectCode'>): Sql =>
  projectCode === undefined ? sql`` : sql`and ${sql.id(alias)}.project_code = ${projectCode}`

/** Another reason than a home why people are in a project. */
interface Presence {
  /** Who is there for it today, and in which room, if in one: `user_id`, `room_id`. */
  readonly current: (query: PresenceQuery) => Sql
  /** Who is or ever was: `user_id`. */
  readonly ever: (query: PresenceQuery) => Sql
}

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

const leaving = (place: 'project' | 'company', context: MoveContext): Sql => {
  const query = {
    ownerId: context.scope.ownerId,
    projectCode: place === 'project' ? context.room.projectCode : undefined,
    today: context.today,
  }
  const conditions = [
    withoutHomeIn(place, context),
    ...presences.map(({ current }) => sql`u.id not in (select p.user_id from (${current(query)}) p)`),
  ]
  return sql`
    select u.id
    from resident u
    where u.owner_id = ${context.scope.ownerId} and ${sql.join(conditions, sql` and `)}
  `
}

/** Those of a move who have no other reason to be in the project, either: they do not work there: `id`. */
export const leavingProject = (context: MoveContext): Sql => leaving('project', context)

/** Those to whom nothing is left in any project of the company: `id`. */
export const leavingCompany = (context: MoveContext): Sql => leaving('company', context)

/** Those of some who neither live nor work in a project: `id`. */
export const withoutPlaceIn = (
  ownerId: Id,
  {
    projectCode,
    userIds,
    today,
    leavingCompanyId,
  }: Pick<PresenceQuery, 'today' | 'leavingCompanyId'> & {
    readonly projectCode: string
    readonly userIds: readonly Id[]
  },
): Sql => sql`
  select u.id
  from unnest(${[...userIds]}::bigint[]) as u(id)
  where not exists (
      select 1
      from user_room l
      where l.owner_id = ${ownerId}
        and l.user_id = u.id
        and l.project_code = ${projectCode}
        and ${notDeleted('l')}
        and l.status = ${code(residencyStatus, 'living')}
    )
    ${sql.join(
      presences.map(
        ({ current }) => sql`and not exists (
          select 1 from (${current({ ownerId, projectCode, today, leavingCompanyId })}) p where p.user_id = u.id
        )`,
      ),
      sql` `,
    )}
`

/** Where people live or work in a project today: `user_id`, `room_id`. */
export const currentPlaces = (query: PresenceQuery): Sql =>
  sql.join(
    [
      sql`
        select l.user_id, l.room_id
        from user_room l
        where l.owner_id = ${query.ownerId}
          ${ofProject('l', query)}
          and ${notDeleted('l')}
          and l.status = ${code(residencyStatus, 'living')}
          and (l.lease_end is null or l.lease_end >= ${query.today}::date)
      `,
      ...presences.map(({ current }) => current(query)),
    ],
    sql` union all `,
  )

/** Who lives or works in a project or ever did: a record that was deleted counts, for it was a way in. */
export const everPresent = (query: PresenceQuery): Sql =>
  sql.join(
    [
      sql`
        select l.user_id
        from user_room l
        where l.owner_id = ${query.ownerId}
          ${ofProject('l', query)}
          and l.status in ${codes(residencyStatus, 'living', 'left')}
      `,
      ...presences.map(({ ever }) => ever(query)),
    ],
    sql` union all `,
  )
