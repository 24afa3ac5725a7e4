import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { residencyStatus } from '../contract/labels.ts'
import { relation } from '../contract/relation.ts'
import { type Home, type Resident } from '../contract/resident.ts'
import { residencyDomainFilter } from './resident-access.ts'
import { currentStatus } from './resident-filters.ts'
import { paysForRoom } from './residency-payer.ts'

interface HomeRow extends Omit<Home, 'relation' | 'status'> {
  readonly userId: Id
  readonly relation: number
  readonly status: number
}

/** What lists show beside a person: homes in the data domain, and whether the person is blocked. */
export interface ListExtras {
  readonly homes: readonly HomeRow[]
  readonly blockedIds: readonly Id[]
}

export async function loadListExtras(
  db: Db,
  { ownerId, domain }: Scope,
  ids: readonly Id[],
  today: Day,
): Promise<ListExtras> {
  const homeConditions = [
    sql`l.owner_id = ${ownerId}`,
    sql`l.user_id = any(${[...ids]})`,
    notDeleted('l'),
    currentStatus(),
    ...residencyDomainFilter(domain, 'l'),
  ]
  const [homes, blocks] = await db.all<[HomeRow, { userId: Id }]>(
    sql`
      select l.user_id, l.id as link_id, l.project_code, l.room_id, r.code as room_code,
        r.path as room_path, l.relation, l.status, l.is_main, ${paysForRoom()} as is_payer, l.in_date
      from user_room l
      join room r on r.owner_id = ${ownerId} and r.id = l.room_id
      where ${sql.join(homeConditions, sql` and `)}
      order by l.user_id, r.sort_key
    `,
    sql`
      select distinct b.user_id
      from user_blocklist b
      where b.owner_id = ${ownerId}
        and b.user_id = any(${[...ids]})
        and ${notDeleted('b')}
        and (b.expire_date is null or b.expire_date >= ${today})
    `,
  )
  return { homes, blockedIds: blocks.map(block => block.userId) }
}

const toHome = ({ userId: _userId, ...row }: HomeRow): Home => ({
  ...row,
  relation: defined(keyOf(relation, row.relation)),
  status: defined(keyOf(residencyStatus, row.status)),
})

export function attachListExtras(
  residents: readonly Resident[],
  { homes, blockedIds }: ListExtras,
): readonly Resident[] {
  const homesByPerson = Map.groupBy(homes, home => home.userId)
  const blocked = new Set(blockedIds)
  return residents.map(r => ({
    ...r,
    homes: (homesByPerson.get(r.id) ?? []).map(toHome),
    isBlock: blocked.has(r.id),
  }))
}

/** Residents as responses show them, with their homes and whether they are blocked. */
export async function presentResidents(
  db: Db,
  scope: Scope,
  residents: readonly Resident[],
  today: Day,
): Promise<readonly Resident[]> {
  if (!residents.length) return residents
  const ids = residents.map(r => r.id)
  return attachListExtras(residents, await loadListExtras(db, scope, ids, today))
}

export const presentResident = async (
  db: Db,
  scope: Scope,
  person: Resident,
  today: Day,
): Promise<Resident> => defined((await presentResidents(db, scope, [person], today))[0])
