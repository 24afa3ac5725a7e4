import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { workerState } from '#modules/companies/contract/company-worker.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { selectOfSource, sourcesOfCredentials, type CredentialSource } from '../reach/credential-source.ts'
import type { Sql } from '../reach/query.ts'
import '../reach/cards-and-faces.ts'
import '../reach/fingerprints.ts'
import '../reach/own-credentials.ts'

/** Whose a credential is or was; a visitor's has neither a resident nor one of the staff. */
export interface Holder {
  readonly itemKey: string
  readonly userId?: Id
  readonly staffId?: Id
  readonly name?: string
  readonly number?: string
  readonly roomId?: Id
  readonly isWorker: boolean
}

interface HolderQuery {
  readonly ownerId: Id
  readonly projectCode: string
  readonly today: Day
  readonly keys: readonly string[]
}

/** A source that does not know its former holders knows those of today. */
const holdersOf = (source: CredentialSource, { ownerId, projectCode, today, keys }: HolderQuery): Sql =>
  source.selectHolders?.(ownerId, projectCode, keys) ??
  sql`
    select c.item_key, c.user_id, c.staff_id, c.number, null::text as holder_name
    from (${selectOfSource(source, { ownerId, projectCode, today, keys })}) c
  `

const livingIn = ({ ownerId, projectCode }: HolderQuery): Sql => sql`
  select l.room_id
  from user_room l
  where l.owner_id = ${ownerId}
    and l.user_id = c.user_id
    and l.project_code = ${projectCode}
    and l.status = ${code(residencyStatus, 'living')}
    and ${notDeleted('l')}
  order by l.is_main desc, l.id
  limit 1
`

const workingAt = ({ ownerId, projectCode }: HolderQuery): Sql => sql`
  select 1
  from company_worker w
  where w.owner_id = ${ownerId}
    and w.user_id = c.user_id
    and w.project_code = ${projectCode}
    and w.state = ${code(workerState, 'active')}
    and ${notDeleted('w')}
`

/** Of credentials in any state: a record stays somebody's after the card is lost. */
export async function findHolders(db: Db, query: HolderQuery): Promise<ReadonlyMap<string, Holder>> {
  const sources = sourcesOfCredentials(query.keys)
  if (!sources.length) return new Map()
  const rows = await db.rows<Holder>(sql`
    with credential as materialized (
      ${sql.join(
        sources.map(source => sql`(${holdersOf(source, query)})`),
        sql` union all `,
      )}
    )
    select c.item_key, c.user_id, c.staff_id, c.number, coalesce(p.name, s.name, c.holder_name) as name,
      (${livingIn(query)}) as room_id, exists (${workingAt(query)}) as is_worker
    from credential c
    left join resident p on p.owner_id = ${query.ownerId} and p.id = c.user_id
    left join staff s on s.owner_id = ${query.ownerId} and s.id = c.staff_id
  `)
  return new Map(rows.map(row => [row.itemKey, row]))
}
