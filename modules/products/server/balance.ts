import type { ChoiceOf, Fen } from '#kit/contract/field.ts'
import { codeOf } from '#kit/contract/field.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { accountEntryType } from '../contract/labels.ts'

interface BalanceChange {
  readonly type: ChoiceOf<typeof accountEntryType>
  readonly amount: Fen
  readonly orderNo?: string
  readonly transactionId?: string
  readonly remark: string
}

export const loadBalance = async (db: Pick<Db, 'one'>, ownerId: number): Promise<Fen> =>
  parseYuan(
    (
      await db.one<{ balance: string }>(
        sql`select balance::text as balance from property_account where owner_id = ${ownerId}`,
      )
    )?.balance ?? '0.00',
  )

/** Puts money into the company's balance; false when this transaction was put in before. */
export async function creditBalance(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId'>,
  e: BalanceChange,
): Promise<boolean> {
  // The account's row is held first: two tellings of one payment meet here.
  await tx.execute(
    sql`insert into property_account (owner_id) values (${scope.ownerId}) on conflict (owner_id) do nothing`,
  )
  await tx.execute(sql`select 1 from property_account where owner_id = ${scope.ownerId} for update`)
  if (
    e.transactionId !== undefined &&
    (await tx.one(
      sql`
        select 1 as there
        from account_entry
        where owner_id = ${scope.ownerId} and transaction_id = ${e.transactionId}
      `,
    ))
  )
    return false
  await writeAccountEntry(tx, scope, e, sql`true`)
  return true
}

/** Takes money out, as far as there is enough of it; false when there is not. */
export const debitBalance = (
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId'>,
  e: BalanceChange,
): Promise<boolean> =>
  writeAccountEntry(
    tx,
    scope,
    { ...e, amount: -e.amount },
    sql`a.balance >= ${formatYuan(e.amount)}::numeric`,
  )

const writeAccountEntry = async (
  tx: Tx,
  who: Pick<Scope, 'ownerId' | 'operatorId'>,
  e: BalanceChange,
  where: ReturnType<typeof sql>,
): Promise<boolean> =>
  (await tx.execute(sql`
    with moved as (
      update property_account a
      set balance = a.balance + ${formatYuan(e.amount)}::numeric, update_time = now()
      where a.owner_id = ${who.ownerId} and ${where}
      returning a.balance
    )
    insert into account_entry (
      owner_id, entry_type, amount, balance, order_no, remark, transaction_id, create_by, update_by
    )
    select ${who.ownerId}::bigint, ${codeOf(accountEntryType, e.type)}::smallint, ${formatYuan(e.amount)}::numeric,
      m.balance, ${e.orderNo ?? null}::text, ${e.remark}::text, ${e.transactionId ?? null}::text,
      ${who.operatorId}::bigint, ${who.operatorId}::bigint
    from moved m
  `)) === 1
