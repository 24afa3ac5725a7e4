import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { PrestoreAccount } from '../contract/account.ts'
import { isLowBalance } from './low-balance.ts'

const findItemNames = async (
  db: Db,
  ownerId: Id,
  itemIds: readonly Id[],
): Promise<ReadonlyMap<Id, string>> => {
  if (!itemIds.length) return new Map()
  const items = await db.rows<{ id: Id; name: string }>(
    sql`select id, name from fee_item where owner_id = ${ownerId} and id = any(${[...itemIds]})`,
  )
  return new Map(items.map(item => [item.id, item.name]))
}

/** Accounts with the name of the fee item that they pay. */
export async function withItemNames<A extends Pick<PrestoreAccount, 'feeItemId'>>(
  db: Db,
  scope: Scope,
  accounts: readonly A[],
): Promise<readonly (A & { readonly feeItemName: string })[]> {
  const itemIds = [...new Set(accounts.map(a => a.feeItemId).filter(Boolean))]
  const names = await findItemNames(db, scope.ownerId, itemIds)
  return accounts.map(a => ({
    ...a,
    feeItemName: a.feeItemId ? (names.get(a.feeItemId) ?? '已删除的项目') : '通用',
  }))
}

/** Conditions beyond the plain filters; the same for lists and exports. */
export const accountConditions = (ownerId: Id, feeItem: number | undefined, low: boolean | undefined) => [
  ...(feeItem === undefined ? [] : [sql`t.fee_item_id = ${feeItem}`]),
  ...(low === undefined
    ? []
    : [low ? isLowBalance(ownerId) : sql`not coalesce(${isLowBalance(ownerId)}, false)`]),
]

export const entryConditions = (ownerId: Id, ownerCode: string | undefined, recordId: Id | undefined) => [
  ...(ownerCode
    ? [
        sql`t.account_id in (
          select a.id from prestore_account a where a.owner_id = ${ownerId} and a.owner_code = ${ownerCode}
        )`,
      ]
    : []),
  ...(recordId ? [sql`t.record_id = ${recordId}`] : []),
]
