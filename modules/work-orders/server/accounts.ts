import { parseId, type Id } from '#kit/domain/id.ts'
import { invalidField, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { loadActiveCallers } from '#modules/accounts/server/public.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { menu } from '../module.ts'
import { accessRefusal, type Place } from './receivers.ts'

/** The names of accounts, deleted ones too: what happened keeps its people. */
export async function findAccountNames(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  ids: readonly (Id | string)[],
): Promise<ReadonlyMap<Id, string>> {
  const wanted = [...new Set(ids.map(parseId))].filter(id => id > 0)
  if (!wanted.length) return new Map()
  const rows = await db.rows<{ id: Id; name: string }>(sql`
    select id, real_name as name from manager where owner_id = ${ownerId} and id = any(${wanted}::bigint[])
  `)
  return new Map(rows.map(row => [row.id, row.name]))
}

/** Names in the order of the ids. */
export const namesOf = (names: ReadonlyMap<Id, string>, ids: readonly string[] = []): string[] =>
  ids.flatMap(id => names.get(parseId(id)) ?? [])

/** Refuses accounts that are not there any more. */
export async function assertAccounts(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  field: string,
  ids: readonly string[],
): Promise<void> {
  if (!ids.length) return
  const rows = await db.rows<{ id: Id }>(sql`
    select id
    from manager
    where owner_id = ${ownerId} and id = any(${ids.map(parseId)}::bigint[]) and ${notDeleted()}
  `)
  if (rows.length < new Set(ids.map(parseId)).size)
    throw invalidField(field, '所选人员中有账号已被删除，请重新选择')
}

/**
 * Refuses people who are to watch or to help with an order and cannot read it: observers read like assignees
 * (WO-11). Those who are named already stay.
 */
export async function assertCanRead(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  order: Place,
  named: { readonly [K in 'observerIds' | 'assistIds']?: readonly string[] | undefined },
  known: Pick<WorkOrder, 'observerIds' | 'assistIds'> = {},
): Promise<void> {
  const added = {
    observerIds: named.observerIds?.filter(id => !known.observerIds?.includes(id)) ?? [],
    assistIds: named.assistIds?.filter(id => !known.assistIds?.includes(id)) ?? [],
  }
  await assertAccounts(db, ownerId, 'ObserverIDs', added.observerIds)
  await assertAccounts(db, ownerId, 'AssistIDs', added.assistIds)
  if (!added.observerIds.length && !added.assistIds.length) return
  const callers = new Map((await loadActiveCallers(db, ownerId)).map(c => [c.operatorId, c]))
  const names = await findAccountNames(db, ownerId, [...added.observerIds, ...added.assistIds])
  const faultOf = (field: string, noun: string, ids: readonly string[]) => {
    const refusals = ids.flatMap(id => {
      const refusal = accessRefusal(callers.get(parseId(id)), menu.order.permissions.view, order)
      return refusal === undefined ? [] : [`${names.get(parseId(id)) ?? id}（${refusal}）`]
    })
    return refusals.length
      ? [{ Field: field, Message: `不能设为${noun}：${refusals.join('、')}，请重新选择` }]
      : []
  }
  const faults = [
    ...faultOf('ObserverIDs', '抄送人', added.observerIds),
    ...faultOf('AssistIDs', '协助人', added.assistIds),
  ]
  if (faults.length) throw invalidInput(faults)
}

interface StaffAccount {
  readonly id: Id
  readonly name: string
  readonly managerId?: Id
}

/** Employees by the old wire are the accounts they sign in with; who has none is refused by name. */
export async function accountsOfStaff(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  staffIds: readonly (Id | string)[],
): Promise<Id[]> {
  const wanted = [...new Set(staffIds.map(parseId))]
  if (!wanted.length) return []
  const rows = await db.rows<StaffAccount>(sql`
    select s.id, s.name, m.id as manager_id
    from staff s
    left join manager m on m.owner_id = ${ownerId} and m.id = s.manager_id and ${notDeleted('m')}
    where s.owner_id = ${ownerId} and s.id = any(${wanted}::bigint[]) and ${notDeleted('s')}
  `)
  const staffById = new Map(rows.map(row => [row.id, row]))
  const faults = wanted.flatMap(id => {
    const staff = staffById.get(id)
    if (!staff) return [{ Field: 'StaffIDs', Message: '员工不存在或已被删除，请重新选择' }]
    return staff.managerId
      ? []
      : [{ Field: 'StaffIDs', Message: `员工「${staff.name}」没有登录账号，请先为其开通账号` }]
  })
  if (faults.length) throw invalidInput(faults)
  return rows.flatMap(row => row.managerId ?? [])
}
