import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { managerState, managerType } from '#modules/accounts/contract/manager.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import type { People } from '../domain/people.ts'

interface AccountRow {
  readonly id: Id
  readonly name: string
  readonly isActive: boolean
  readonly isOwner: boolean
  readonly isReadOnly: boolean
  readonly roleIds?: readonly string[]
}

/** Whether an account `m` may only look (PERM-1): the auditors. */
export const isReadOnlyAccount = sql<boolean>`(m.manager_type = ${code(managerType, 'auditor')})`

/** Everybody of a company in one round trip: some hundreds of accounts. */
export async function loadPeople(db: Db, ownerId: Id, today: Day): Promise<People> {
  const [accounts, departments, staff, delegates] = await db.all<
    [AccountRow, People['departments'][number], People['staff'][number], People['delegates'][number]]
  >(
    sql`
      select id, real_name as name, role_ids, state = ${code(managerState, 'on')} and delete_tag = 0 as is_active,
        manager_type = ${code(managerType, 'owner')} as is_owner, ${isReadOnlyAccount} as is_read_only
      from manager m
      where owner_id = ${ownerId}
      order by id
    `,
    sql`
      select d.id, d.parent_id, s.manager_id as leader_id
      from department d
      left join staff s on s.owner_id = ${ownerId} and s.id = d.leader_id and ${notDeleted('s')}
      where d.owner_id = ${ownerId} and ${notDeleted('d')}
    `,
    sql`
      select manager_id, department_id, tags
      from staff
      where owner_id = ${ownerId}
        and manager_id is not null
        and state <> ${code(staffState, 'left')}
        and ${notDeleted()}
      order by id
    `,
    sql`
      select principal_id, delegate_id
      from process_delegate
      where owner_id = ${ownerId} and ${today}::date between begin_date and end_date and ${notDeleted()}
      order by id
    `,
  )
  return {
    accounts: accounts.map(({ roleIds = [], ...account }) => ({ ...account, roleIds })),
    departments,
    staff,
    delegates,
  }
}
