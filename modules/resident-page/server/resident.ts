import { keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { PersonLink } from '#modules/access/server/public.ts'
import { workerState } from '#modules/companies/contract/company-worker.ts'
import { residencyStatus, residentState } from '#modules/residents/contract/labels.ts'
import { relation, type Relation } from '#modules/residents/contract/relation.ts'
import type { HomeKind } from '../contract/choices.ts'
import { invalidToken, readToken } from './token.ts'

/** Where a resident lives, or works for a company. */
export interface ResidentHome {
  readonly kind: HomeKind
  /** Of the residency or of the worker. */
  readonly id: Id
  readonly projectCode: string
  readonly estateName: string
  readonly servicePhone?: string | undefined
  /** None for a worker. */
  readonly roomId?: Id | undefined
  readonly buildingCode?: string | undefined
  readonly unit?: string | undefined
  /** The path of the room, or the name of the company. */
  readonly roomPath: string
  readonly relation?: Relation | undefined
}

/** Who is behind a token, with all that they live in now. */
export interface Resident {
  readonly ownerId: Id
  readonly userId: Id
  readonly name: string
  /** The home or job whose link was opened. */
  readonly linkId: Id
  readonly homes: readonly ResidentHome[]
}

interface HomeRow extends Omit<ResidentHome, 'relation'> {
  readonly relationCode?: number
}

const livingHomes = (ownerId: Id, where: RawBuilder<unknown>) => sql`
  select l.user_id, 'residency' as kind, l.id, l.project_code, e.name as estate_name, e.service_phone,
    l.room_id, r.build_code as building_code, r.unit_name as unit, r.path as room_path,
    l.relation as relation_code
  from user_room l
  join room r on r.owner_id = ${ownerId} and r.id = l.room_id
  join estate e on e.owner_id = ${ownerId} and e.project_code = l.project_code and ${notDeleted('e')}
  where l.owner_id = ${ownerId}
    and ${where}
    and l.status = ${code(residencyStatus, 'living')}
    and ${notDeleted('l')}
`

const activeJobs = (ownerId: Id, where: RawBuilder<unknown>) => sql`
  select l.user_id, 'worker' as kind, l.id, l.project_code, e.name as estate_name, e.service_phone,
    null::bigint as room_id, null::text as building_code, null::text as unit, c.name as room_path,
    null::smallint as relation_code
  from company_worker l
  join company c on c.owner_id = ${ownerId} and c.id = l.company_id and ${notDeleted('c')}
  join estate e on e.owner_id = ${ownerId} and e.project_code = l.project_code and ${notDeleted('e')}
  where l.owner_id = ${ownerId}
    and ${where}
    and l.state = ${code(workerState, 'active')}
    and ${notDeleted('l')}
`

/** The homes and jobs of residents now, homes first. */
export async function findHomes(
  db: Db,
  ownerId: Id,
  userIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly ResidentHome[]>> {
  if (!userIds.length) return new Map()
  const isTheirs = sql`l.user_id = any(${[...userIds]}::bigint[])`
  const rows = await db.rows<HomeRow & { userId: Id }>(sql`
    ${livingHomes(ownerId, isTheirs)}
    union all
    ${activeJobs(ownerId, isTheirs)}
    order by 2, 3
  `)
  const homes = rows.map(({ relationCode, ...home }) => ({
    ...home,
    relation: relationCode === undefined ? undefined : keyOf(relation, relationCode),
  }))
  return Map.groupBy(homes, home => home.userId)
}

interface Person {
  readonly userId: Id
  readonly name: string
}

/** Whose link it is, as long as they live or work there (BASE-11, BASE-16). */
const findPerson = (db: Db, { kind, ownerId, id }: PersonLink): Promise<Person | undefined> =>
  db.one<Person>(sql`
    select p.id as user_id, p.name
    from resident p
    where p.owner_id = ${ownerId}
      and p.state = ${code(residentState, 'normal')}
      and ${notDeleted('p')}
      and p.id in (
        select h.user_id
        from (${(kind === 'residency' ? livingHomes : activeJobs)(ownerId, sql`l.id = ${id}`)}) h
      )
  `)

interface ResidentContext {
  readonly app: Pick<App, 'database' | 'clock'>
}

/**
 * Who is behind the token of an anonymous call. It ends when they move out or change their number, when
 * staff make the link void, and a sign-in after thirty days.
 */
export async function readResident({ app }: ResidentContext, token: string): Promise<Resident> {
  const link = await readToken(app, token)
  const { ownerId, id } = link
  const db = app.database.reader(ownerId)
  const person = await findPerson(db, link)
  if (!person) throw invalidToken()
  const homes = (await findHomes(db, ownerId, [person.userId])).get(person.userId) ?? []
  return { ...person, ownerId, linkId: id, homes }
}
