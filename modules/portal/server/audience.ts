import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { managerState } from '#modules/accounts/contract/manager.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { departmentsUnder } from '#modules/staff/server/public.ts'
import type { InternalNotice } from '../contract/notice.ts'

type Condition = RawBuilder<unknown>

/** Somebody of the audience; without an account they cannot read the notice. */
interface Reader {
  readonly managerId?: Id
  readonly departmentId?: Id
}

type NoticeAudience = Pick<InternalNotice, 'audience' | 'departmentIds' | 'tags' | 'staffIds'>

function isInAudience({ audience, ...named }: NoticeAudience, ownerId: Id): Condition {
  if (audience === 'people') return sql`s.id = any(${(named.staffIds ?? []).map(parseId)}::bigint[])`
  if (audience === 'tags') return sql`s.tags && ${[...(named.tags ?? [])]}::text[]`
  if (audience === 'all') return sql`true`
  return sql`s.department_id in ${departmentsUnder(ownerId, named.departmentIds ?? [])}`
}

/** Staff in the audience who have not left, with their accounts as far as these can sign in. */
const loadStaffReaders = (db: Db, ownerId: Id, notice: NoticeAudience): Promise<Reader[]> =>
  db.rows<Reader>(sql`
    select m.id as manager_id, s.department_id
    from staff s
    left join manager m on m.owner_id = ${ownerId}
      and m.id = s.manager_id
      and m.state <> ${code(managerState, 'off')}
      and ${notDeleted('m')}
    where s.owner_id = ${ownerId}
      and s.state <> ${code(staffState, 'left')}
      and ${notDeleted('s')}
      and ${isInAudience(notice, ownerId)}
    order by s.id
  `)

const loadAccounts = (db: Db, ownerId: Id): Promise<Reader[]> =>
  db.rows<Reader>(sql`
    select id as manager_id
    from manager
    where owner_id = ${ownerId} and state <> ${code(managerState, 'off')} and ${notDeleted()}
    order by id
  `)

export interface ResolvedAudience {
  readonly readers: readonly { readonly managerId: Id; readonly departmentId?: Id | undefined }[]
  readonly withoutAccountCount: number
}

/** Whom a notice reaches now: each account once, with the department of its owner. */
export async function resolveAudience(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  notice: NoticeAudience,
): Promise<ResolvedAudience> {
  const people = await loadStaffReaders(db, ownerId, notice)
  const accounts = notice.audience === 'all' ? await loadAccounts(db, ownerId) : []
  const departments = new Map<Id, Id | undefined>()
  for (const { managerId, departmentId } of [...people, ...accounts]) {
    if (managerId !== undefined && !departments.has(managerId)) {
      departments.set(managerId, departmentId)
    }
  }
  return {
    readers: [...departments].map(([managerId, departmentId]) => ({ managerId, departmentId })),
    withoutAccountCount: people.filter(reader => reader.managerId === undefined).length,
  }
}
