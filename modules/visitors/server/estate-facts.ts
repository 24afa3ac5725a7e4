import { sql, type Db } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'

export interface EstateFacts {
  readonly estateName: string
  readonly companyName: string
  readonly servicePhone?: string
}

/** What a page behind a link says of where it belongs. */
export async function findEstateFacts(
  db: Pick<Db, 'one'>,
  ownerId: Id,
  projectCode: string,
): Promise<EstateFacts> {
  const found = await db.one<EstateFacts>(sql`
    select e.name as estate_name, p.company_name, e.service_phone
    from estate e
    join property p on p.owner_id = ${ownerId}
    where e.owner_id = ${ownerId} and e.project_code = ${projectCode}
  `)
  return found ?? { estateName: '', companyName: '' }
}
