import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { staffState } from '#modules/staff/contract/labels.ts'

export interface Worker {
  readonly id: Id
  readonly name: string
}

/** The person behind the account. */
export const findWorker = (db: Db, { ownerId, operatorId }: Scope): Promise<Worker | undefined> =>
  db.one<Worker>(sql`
    select id, name
    from staff
    where owner_id = ${ownerId}
      and manager_id = ${operatorId}
      and state <> ${code(staffState, 'left')}
      and ${notDeleted()}
    order by id
    limit 1
  `)

export async function requireWorker(db: Db, scope: Scope): Promise<Worker> {
  return (await findWorker(db, scope)) ?? refuse('当前账号未关联员工，请联系人事在通讯录中关联登录账号')
}
