import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, parseYuan, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { accountState, entryType, ownerKind } from '../contract/choices.ts'
import { accountPrefix } from './document-prefixes.ts'

type OwnerKind = ChoiceOf<typeof ownerKind>

/** An account whose money moves; fen. */
export interface PrepaidAccount {
  readonly id: Id
  readonly projectCode: string
  readonly ownerName: string
  readonly itemId: Id
  /** What may be used: without what is being refunded. */
  readonly balance: Fen
  readonly gift: Fen
  readonly refunding: Fen
  readonly frozen: boolean
  readonly autoDeduct: boolean
  readonly ownerKind: number
  readonly ownerCode: string
}

type PrepaidAccountRow = Omit<PrepaidAccount, 'balance' | 'gift' | 'refunding'> &
  Readonly<Record<'balance' | 'gift' | 'refunding', string>>

export interface AccountOwner {
  readonly kind: OwnerKind
  readonly code: string
}

/**
 * The open and frozen accounts of owners in a project; locked in id order for a transaction that moves money
 * (ACC-9).
 */
export async function findPrepaidAccounts(
  db: Db,
  ownerId: Id,
  project: string,
  owners: readonly AccountOwner[],
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<PrepaidAccount[]> {
  const rows = await db.rows<PrepaidAccountRow>(sql`
    select id, project_code, owner_name, fee_item_id as item_id, (balance - refunding)::text as balance,
      gift_balance::text as gift, refunding::text, state = ${code(accountState, 'frozen')} as frozen, auto_deduct, owner_kind::int, owner_code
    from prestore_account
    where owner_id = ${ownerId}
      and project_code = ${project}
      and ${notDeleted()}
      and state <> ${code(accountState, 'closed')}
      and (owner_kind, owner_code) in (
        select *
        from unnest(
          ${owners.map(o => Number(codeOf(ownerKind, o.kind)))}::smallint[],
          ${owners.map(o => o.code)}::text[]
        )
      )
    order by id ${lock ? sql`for update` : sql``}
  `)
  return rows.map(row => ({
    ...row,
    balance: parseYuan(row.balance),
    gift: parseYuan(row.gift),
    refunding: parseYuan(row.refunding),
  }))
}

/** The account of an owner and item, made when there is none yet; locked. */
export async function ensurePrepaidAccount(
  tx: Tx,
  scope: Scope,
  project: string,
  accountOwner: AccountOwner,
  name: string,
  itemId: Id,
  building: string | undefined,
  today: Day,
): Promise<PrepaidAccount> {
  const findAccount = async (): Promise<PrepaidAccount | undefined> =>
    (await findPrepaidAccounts(tx, scope.ownerId, project, [accountOwner], { lock: true })).find(
      p => p.itemId === itemId,
    )
  const existing = await findAccount()
  if (existing) return existing
  const accountNo = await tx.numbers.next(scope.ownerId, accountPrefix, today)
  await tx.execute(sql`
    insert into prestore_account (
      owner_id, create_by, update_by, project_code, account_no, owner_kind, owner_code, owner_name,
      build_code, fee_item_id, state
    )
    values (
      ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${project}, ${accountNo},
      ${codeOf(ownerKind, accountOwner.kind)}, ${accountOwner.code}, ${name}, ${building ?? null}, ${itemId},
      ${code(accountState, 'open')}
    )
    on conflict (owner_id, project_code, owner_kind, owner_code, fee_item_id)
    where ${notDeleted()} do nothing
  `)
  return (await findAccount()) ?? refuse(`账户「${name}」已销户，不能再存入`)
}

export interface NewLedgerEntry {
  readonly accountId: Id
  readonly type: ChoiceOf<typeof entryType>
  readonly amount: Fen
  readonly gift?: boolean
  readonly billId?: Id | undefined
  readonly recordId?: Id | undefined
  readonly reverses?: number | undefined
  readonly remark?: string | undefined
}

/**
 * Books entries one after the other, each with the balance before and after (ACC-2). Σ of entries = balance.
 * Refuses when a balance would fall below zero, or below what is being refunded (ACC-9); the table does too.
 */
export async function postEntries(
  tx: Tx,
  scope: Scope,
  list: readonly NewLedgerEntry[],
  at: Moment,
): Promise<void> {
  for (const entry of list) {
    const column = entry.gift ? 'gift_balance' : 'balance'
    const reserved = entry.gift ? sql`0` : sql`refunding`
    const sum = formatYuan(entry.amount)
    const isBooked = await tx.execute(sql`
      with a as (
        update prestore_account
        set ${sql.id(column)} = ${sql.id(column)} + ${sum}, version = version + 1,
          update_time = ${scope.time}::timestamptz
        where owner_id = ${scope.ownerId} and id = ${entry.accountId} and ${sql.id(column)} + ${sum} >= ${reserved}
        returning id, project_code, ${sql.id(column)} as after
      )
      insert into prestore_entry (
        owner_id, create_by, update_by, project_code, account_id, entry_type, amount, gift, balance_before,
        balance_after, bill_id, record_id, reverses_id, entry_time, operator_name, remark
      )
      select ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, a.project_code, a.id,
        ${codeOf(entryType, entry.type)}, ${sum}, ${entry.gift ?? false}, a.after - ${sum}, a.after,
        ${entry.billId ?? null}, ${entry.recordId ?? null}, ${entry.reverses ?? null}, ${at}, ${scope.name},
        ${entry.remark ?? null}
      from a
      returning id
    `)
    if (!isBooked) refuse('预存余额不足，请刷新后重试')
  }
}
