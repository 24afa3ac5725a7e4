import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { staffState } from '#modules/staff/contract/labels.ts'

/** The people who clean and garden. */
export const findWorkers = async (tx: Tx, { ownerId }: Scope): Promise<string[]> =>
  (
    await tx.rows<{ id: Id }>(sql`
      select id
      from staff
      where owner_id = ${ownerId}
        and position in ('保洁员', '绿化工')
        and state <> ${code(staffState, 'left')}
        and ${notDeleted()}
      order by id
      limit 4
    `)
  ).map(({ id }) => String(id))

/** Who has the accounts that show the demo: what they may take is on their phone page. */
export const findOwnStaff = async (
  tx: Tx,
  { ownerId, operatorId }: Scope,
  login: string,
): Promise<string[]> =>
  (
    await tx.rows<{ id: Id }>(sql`
      select s.id
      from staff s
      join manager m on m.owner_id = ${ownerId} and m.id = s.manager_id
      where s.owner_id = ${ownerId}
        and (m.id = ${operatorId} or m.login_code = ${login})
        and ${notDeleted('s')}
      order by s.id
    `)
  ).map(({ id }) => String(id))
