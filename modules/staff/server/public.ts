import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'

export { onStaffLeft } from './staff-leaving.ts'
export { readStaffTemplate } from './fingerprint.ts'

/** The ids of departments and of those under them, as a subquery. */
export const departmentsUnder = (ownerId: Id, departmentIds: readonly string[]): RawBuilder<unknown> => sql`(
  with recursive under as (
    select id
    from department
    where owner_id = ${ownerId} and id = any(${departmentIds.map(parseId)}::bigint[])
    union
    select d.id
    from under
    join department d on d.owner_id = ${ownerId} and d.parent_id = under.id and ${notDeleted('d')}
  )
  select id
  from under
)`
