import type { Id } from '#kit/domain/id.ts'
import { codeOf, type ChoiceOf, type Fen } from '#kit/contract/field.ts'
import { formatYuan, negateFen, parseYuan } from '#kit/domain/money.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { accountEntryType } from '../contract/labels.ts'

type Payer = Pick<Scope, 'ownerId' | 'operatorId' | 'time'>

/** One entry of the company's balance with the platform; `amount` in fen, always positive. */
interface BalanceChange {
  readonly type: ChoiceOf<typeof accountEntryType>
  readonly amount: Fen
  readonly orderNo?: string
  readonly transactionId?: string
  readonly remark: string
}

export async function loadBalance(db: Pick<Db, 'one'>, ownerId: Id): Promise<Fen> {
  const account = await db.one<{ balance: string }>(
    sql`select balance::text as balance from property_account where owner_id = ${ownerId}`,
  )
  return parseYuan(account?.balance ?? '0.00')
}

/** Adds money to the company's balance; false when this transaction was added before. */
export async function creditBalance(tx: Tx, scope: Payer, change: BalanceChange): Promise<boolean> {
  // The account's row is locked first: two reports of one payment wait for each other here.
  await tx.execute(
    sql`
      insert into property_account (owner_id)
      values (${scope.ownerId}) on conflict (owner_id) do nothing
    `,
  )
  await tx.execute(sql`select 1 from property_account where owner_id = ${scope.ownerId} for update`)
  if (change.transactionId !== undefined) {
    const existing = await tx.one(
      sql`
        select 1 as found
        from account_entry
        where owner_id = ${scope.ownerId} and transaction_id = ${change.transactionId}
      `,
    )
    if (existing) return false
  }
  return writeAccountEntry(tx, scope, change, change.amount)
}

/** Takes money out of the balance; false when there is not enough. */
export const debitBalance = (tx: Tx, scope: Payer, change: BalanceChange): Promise<boolean> =>
  writeAccountEntry(tx, scope, change, negateFen(change.amount))

/**
 * Moves the balance by `amount` (fen, negative for a debit) and writes the entry; false when it would fall
 * below 0.
 */
async function writeAccountEntry(tx: Tx, scope: Payer, change: BalanceChange, amount: Fen): Promise<boolean> {
  const inserted = await tx.execute(sql`
    with moved as (
      update property_account a
      set balance = a.balance + ${formatYuan(amount)}::numeric, update_time = ${scope.time}::timestamptz
      where a.owner_id = ${scope.ownerId}
        and (${formatYuan(amount)}::numeric >= 0 or a.balance >= ${formatYuan(change.amount)}::numeric)
      returning a.balance
    )
    insert into account_entry (
      owner_id, entry_type, amount, balance, order_no, remark, transaction_id, create_by, update_by
    )
    select ${scope.ownerId}::bigint, ${codeOf(accountEntryType, change.type)}::smallint,
      ${formatYuan(amount)}::numeric, m.balance, ${change.orderNo ?? null}::text, ${change.remark}::text,
      ${change.transactionId ?? null}::text, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
    from moved m
    returning id
  `)
  return inserted === 1
}
