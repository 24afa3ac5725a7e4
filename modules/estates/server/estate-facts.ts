import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'

export interface EstateFacts {
  readonly estateName: string
  readonly servicePhone?: string
}

/** What a page behind a link says of where it belongs. */
export async function findEstateFacts(
  db: Pick<Db, 'one'>,
  ownerId: Id,
  projectCode: string,
): Promise<EstateFacts> {
  const found = await db.one<EstateFacts>(sql`
    select name as estate_name, service_phone
    from estate
    where owner_id = ${ownerId} and project_code = ${projectCode}
  `)
  return found ?? { estateName: '' }
}
