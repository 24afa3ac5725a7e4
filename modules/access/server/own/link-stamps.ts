import { randomBytes } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { onWorkerMobileChanged } from '#modules/companies/server/public.ts'
import { onMobileChanged } from '#modules/residents/server/public.ts'
import { personLinkKind } from '../../contract/choices.ts'
import type { LinkedPlace } from '../../contract/person-link.ts'

/** What ended the links of a place so far: none while nothing has. */
export interface LinkState {
  readonly stamp: string
  readonly isVoid: boolean
}

export const findLinkState = (
  db: Db,
  ownerId: Id,
  { kind, id }: LinkedPlace,
): Promise<LinkState | undefined> =>
  db.one(sql`
    select stamp, is_void
    from person_link
    where owner_id = ${ownerId} and kind = ${code(personLinkKind, kind)} and subject_id = ${id}
  `)

/** Of so many that none comes twice: what an earlier link was signed with is never the stamp again. */
const newStamp = (): string => randomBytes(9).toString('base64url')

export interface StampedPlace extends LinkedPlace {
  readonly projectCode: string
}

const asRecords = (places: readonly StampedPlace[]) => sql`
  unnest(
    ${sqlArray(
      'smallint',
      places.map(({ kind }) => codeOf(personLinkKind, kind)),
    )},
    ${sqlArray(
      'bigint',
      places.map(({ id }) => id),
    )},
    ${sqlArray(
      'text',
      places.map(({ projectCode }) => projectCode),
    )},
    ${sqlArray('text', places.map(newStamp))}
  ) as r(kind, subject_id, project_code, stamp)
`

/** Ends the links of before; new ones work, unless staff have made the links of the place void. */
export async function stampLinks(tx: Tx, ownerId: Id, places: readonly StampedPlace[]): Promise<void> {
  if (!places.length) return
  await tx.execute(sql`
    insert into person_link (owner_id, kind, subject_id, project_code, stamp)
    select ${ownerId}::bigint, r.kind, r.subject_id, r.project_code, r.stamp
    from ${asRecords(places)}
    on conflict (owner_id, kind, subject_id) do update set stamp = excluded.stamp
    returning subject_id
  `)
}

/** The same, and whether links of the place work from now on. */
export async function setLinkState(
  tx: Tx,
  ownerId: Id,
  { kind, id, projectCode }: StampedPlace,
  isVoid: boolean,
): Promise<void> {
  await tx.execute(sql`
    insert into person_link (owner_id, kind, subject_id, project_code, stamp, is_void)
    values (
      ${ownerId}, ${code(personLinkKind, kind)}, ${id}, ${projectCode}, ${newStamp()}, ${isVoid}
    )
    on conflict (owner_id, kind, subject_id) do update set stamp = excluded.stamp, is_void = excluded.is_void
  `)
}

/** Homes and jobs of a person, past ones too: somebody may come back to one. */
async function findEveryPlace(db: Db, ownerId: Id, userId: Id): Promise<StampedPlace[]> {
  const homes = await db.rows<Omit<StampedPlace, 'kind'>>(
    sql`select id, project_code from user_room where owner_id = ${ownerId} and user_id = ${userId}`,
  )
  const jobs = await db.rows<Omit<StampedPlace, 'kind'>>(
    sql`select id, project_code from company_worker where owner_id = ${ownerId} and user_id = ${userId}`,
  )
  return [
    ...homes.map(home => ({ ...home, kind: 'residency' as const })),
    ...jobs.map(job => ({ ...job, kind: 'worker' as const })),
  ]
}

// BASE-14: links end with the mobile, and do not come back when it is put back.
onMobileChanged(async (tx, { ownerId }, person) =>
  stampLinks(tx, ownerId, await findEveryPlace(tx, ownerId, person.id)),
)

onWorkerMobileChanged((tx, { ownerId }, { id, projectCode }) =>
  stampLinks(tx, ownerId, [{ kind: 'worker', id, projectCode }]),
)
