import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import {
  addFen,
  displayYuan,
  type Fen,
  minFen,
  negateFen,
  parseYuan,
  subtractFen,
  sumFen,
} from '#kit/domain/money.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { drawFromAccounts, type PrestoreAccount } from '#modules/bills/server/public.ts'
import {
  registerTenderProvider,
  type PaymentContext,
  type TenderProvider,
} from '#modules/payments/server/public.ts'
import { entryType } from '../contract/choices.ts'
import {
  postEntries,
  ensurePrepaidAccount,
  findPrepaidAccounts,
  type NewLedgerEntry,
  type AccountOwner,
  type PrepaidAccount,
} from './ledger.ts'

// A company's bills name it by its number; its account goes by its id, which the payer carries.
const ownerKindBySource: Readonly<Record<string, AccountOwner['kind'] | undefined>> = {
  room: 'room',
  car: 'car',
  resident: 'resident',
}

/** The owners of accounts that may pay: the objects themselves, then the payer. */
export const accountOwnersOf = (payment: Pick<PaymentContext, 'sources' | 'payer'>): AccountOwner[] => [
  ...payment.sources.flatMap(s => {
    const kind = ownerKindBySource[s.sourceType]
    return kind ? [{ kind, code: s.sourceCode }] : []
  }),
  ...(payment.payer.id && payment.payer.kind
    ? [{ kind: payment.payer.kind, code: String(payment.payer.id) }]
    : []),
]

const paymentTimeOf = async (tx: Tx, scope: Scope, payment: PaymentContext): Promise<Moment> =>
  payment.at ??
  defined(
    await tx.one<{ at: Moment }>(
      sql`select pay_time as at from pay_record where owner_id = ${scope.ownerId} and id = ${payment.recordId}`,
    ),
  ).at

/**
 * ACC-4 for one tender: each bill's share, in their order. `missing` is what the accounts do not hold; fen.
 * A frozen account gives nothing.
 */
function drawForShares(
  accounts: readonly PrepaidAccount[],
  shares: PaymentContext['shares'],
  amount: Fen,
  giftFirst: boolean,
): { readonly entries: readonly Omit<NewLedgerEntry, 'type'>[]; readonly missing: Fen } {
  const entries: Omit<NewLedgerEntry, 'type'>[] = []
  let balances: readonly PrestoreAccount[] = accounts.filter(account => !account.frozen)
  let missing = amount
  for (const { billId, itemId, amount: share } of shares) {
    const wanted = minFen(missing, share)
    const drawn = drawFromAccounts(balances, itemId, wanted, giftFirst)
    balances = drawn.accounts
    missing = subtractFen(missing, subtractFen(wanted, drawn.missing))
    entries.push(...drawn.entries.map(entry => ({ ...entry, billId, amount: negateFen(entry.amount) })))
  }
  return { entries, missing }
}

const findCreditOwner = async (
  tx: Tx,
  scope: Scope,
  context: PaymentContext,
): Promise<{
  readonly owner: AccountOwner
  readonly name: string
  readonly building?: string | undefined
}> => {
  const [owner] = accountOwnersOf(context)
  if (!owner) return refuse('没有可以转存的预存账户：请先选择房间、住户或企业')
  const bill = await tx.one<{ name: string; building?: string }>(
    sql`
      select source_name as name, build_code as building
      from bill
      where owner_id = ${scope.ownerId}
        and id = any(${context.shares.map(s => s.billId)})
        and source_code = ${owner.code}
      limit 1
    `,
  )
  return { owner, name: bill?.name ?? context.payer.name ?? owner.code, building: bill?.building }
}

interface OpenEntry {
  readonly id: Id
  readonly accountId: Id
  readonly gift: boolean
  readonly billId?: Id
  /** Yuan that were not taken back yet. */
  readonly open: string
}

/** Entries of a payment of these types, the newest first, locked, with what was not reversed of each. */
const findOpenEntries = (
  tx: Tx,
  ownerId: Id,
  recordId: Id,
  ...types: readonly ChoiceOf<typeof entryType>[]
): Promise<OpenEntry[]> =>
  tx.rows<OpenEntry>(sql`
    select e.id, e.account_id, e.gift, e.bill_id,
      (
        abs(e.amount) - abs(
          coalesce(
            (
              select sum(u.amount)
              from prestore_entry u
              where u.owner_id = ${ownerId} and u.reverses_id = e.id
            ),
            0
          )
        )
      )::text as open
    from prestore_entry e
    where e.owner_id = ${ownerId}
      and e.record_id = ${recordId}
      and e.entry_type in ${codes(entryType, ...types)}
    order by e.id desc
    for update of e
  `)

/** Last in, first out (REF-9): takes `amount` back from the entries; `missing` is what they do not hold. */
function reverseEntries(
  entries: readonly OpenEntry[],
  amount: Fen,
): {
  readonly reversed: readonly { readonly entry: OpenEntry; readonly amount: Fen }[]
  readonly missing: Fen
} {
  let missing = amount
  const reversed: { entry: OpenEntry; amount: Fen }[] = []
  for (const entry of entries) {
    const taken = minFen(missing, parseYuan(entry.open))
    if (taken <= 0) continue
    missing = subtractFen(missing, taken)
    reversed.push({ entry, amount: taken })
  }
  return { reversed, missing }
}

async function isGiftFirst(tx: Tx, ownerId: Id, projectCode: string): Promise<boolean> {
  const setting = await tx.one<{ giftFirst: boolean }>(
    sql`
      select gift_first
      from prestore_switch
      where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
    `,
  )
  return setting?.giftFirst ?? false
}

const balances: TenderProvider['balances'] = async (db, scope, context) => {
  const accounts = await findPrepaidAccounts(db, scope.ownerId, context.projectCode, accountOwnersOf(context))
  const usable = accounts.filter(account => !account.frozen && account.balance + account.gift > 0)
  const items = await db.rows<{ id: Id; name: string }>(
    sql`
      select id, name
      from fee_item
      where owner_id = ${scope.ownerId} and id = any(${usable.map(account => account.itemId)})
    `,
  )
  const names = new Map(items.map(item => [item.id, item.name]))
  return [...Map.groupBy(usable, account => account.itemId)].map(([itemId, list]) => ({
    itemId,
    name: itemId ? (names.get(itemId) ?? '') : '通用',
    amount: sumFen(list.map(account => addFen(account.balance, account.gift))),
  }))
}

const debit: TenderProvider['debit'] = async (tx, scope, amount, context) => {
  const { ownerId } = scope
  const owners = accountOwnersOf(context)
  const accounts = await findPrepaidAccounts(tx, ownerId, context.projectCode, owners, { lock: true })
  const giftFirst = await isGiftFirst(tx, ownerId, context.projectCode)
  const { entries, missing } = drawForShares(accounts, context.shares, amount, giftFirst)
  if (missing > 0) refuse(`预存余额不足：还差 ${displayYuan(missing)} 元，请减少预存抵扣的金额`)
  await postEntries(
    tx,
    scope,
    entries.map(entry => ({ ...entry, type: 'deduct', recordId: context.recordId })),
    await paymentTimeOf(tx, scope, context),
  )
}

const reverseDebit: TenderProvider['reverseDebit'] = async (tx, scope, amount, context) => {
  const entries = await findOpenEntries(tx, scope.ownerId, context.recordId, 'deduct')
  const { reversed, missing } = reverseEntries(entries, amount)
  if (missing > 0) refuse('退回预存的金额超过当时抵扣的金额')
  await postEntries(
    tx,
    scope,
    reversed.map(({ entry, amount: taken }) => ({
      accountId: entry.accountId,
      type: 'undone',
      amount: taken,
      gift: entry.gift,
      billId: entry.billId,
      recordId: context.recordId,
      reverses: entry.id,
    })),
    await paymentTimeOf(tx, scope, context),
  )
}

const credit: TenderProvider['credit'] = async (tx, scope, amount, context, reason) => {
  const { owner, name, building } = await findCreditOwner(tx, scope, context)
  const at = await paymentTimeOf(tx, scope, context)
  const day = dayOfMoment(at)
  const account = await ensurePrepaidAccount(tx, scope, context.projectCode, owner, name, 0, building, day)
  const kind =
    reason === 'change' ? { type: 'change' as const } : { type: 'moveIn' as const, remark: '退款转预存' }
  await postEntries(tx, scope, [{ accountId: account.id, amount, recordId: context.recordId, ...kind }], at)
}

const reverseCredit: TenderProvider['reverseCredit'] = async (tx, scope, amount, context) => {
  const entries = await findOpenEntries(tx, scope.ownerId, context.recordId, 'change', 'moveIn')
  const { reversed, missing } = reverseEntries(entries, amount)
  if (missing > 0) refuse('未找到该转存，请联系管理员')
  await postEntries(
    tx,
    scope,
    reversed.map(({ entry, amount: taken }) => ({
      accountId: entry.accountId,
      type: 'adjust',
      amount: negateFen(taken),
      recordId: context.recordId,
      reverses: entry.id,
      remark: '收款作废',
    })),
    await paymentTimeOf(tx, scope, context),
  )
}

registerTenderProvider('prestore', { balances, debit, reverseDebit, credit, reverseCredit })
