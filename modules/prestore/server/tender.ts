import { formatYuan, parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import { registerTenderProvider, type PaymentContext } from '#modules/payments/server/public.ts'
import {
  postEntries,
  ensurePrepaidAccount,
  findPrepaidAccounts,
  type NewLedgerEntry,
  type AccountOwner,
  type PrepaidAccount,
} from './ledger.ts'

// A company's own bills name it by its number; its account goes by its id, which the payer says.
const ownerKindBySource: Readonly<Record<string, AccountOwner['kind'] | undefined>> = {
  room: 'room',
  car: 'car',
  resident: 'resident',
}

/** Whose accounts may pay for something: the objects themselves, then who pays. */
export const accountOwnersOf = (p: Pick<PaymentContext, 'sources' | 'payer'>): AccountOwner[] => [
  ...p.sources.flatMap(s => {
    const kind = ownerKindBySource[s.sourceType]
    return kind ? [{ kind, code: s.sourceCode }] : []
  }),
  ...(p.payer.id && p.payer.kind ? [{ kind: p.payer.kind, code: String(p.payer.id) }] : []),
]

const paymentTimeOf = async (tx: Tx, scope: Scope, p: PaymentContext): Promise<string> =>
  p.at ??
  (await tx.one<{ at: string }>(
    sql`select pay_time as at from pay_record where owner_id = ${scope.ownerId} and id = ${p.recordId}`,
  ))!.at

/**
 * ACC-4 for one tender: each bill's share from its item's account, then from the general ones, own money
 * before gift, until the amount is there.
 */
export function drawFromAccounts(
  purses: readonly PrepaidAccount[],
  shares: PaymentContext['shares'],
  amount: Fen,
  giftFirst: boolean,
): { readonly movements: readonly Omit<NewLedgerEntry, 'type'>[]; readonly left: Fen } {
  const now = purses.filter(p => !p.frozen).map(p => ({ ...p }))
  const movements: Omit<NewLedgerEntry, 'type'>[] = []
  let left = amount
  for (const s of shares) {
    let want = Math.min(left, s.amount)
    for (const a of [...now.filter(x => x.itemId === s.itemId), ...now.filter(x => x.itemId === 0)]) {
      for (const gift of giftFirst ? [true, false] : [false, true]) {
        const x = Math.min(want, gift ? a.gift : a.balance)
        if (x <= 0) continue
        if (gift) {
          a.gift -= x
        } else {
          a.balance -= x
        }
        want -= x
        left -= x
        movements.push({ accountId: a.id, amount: -x, gift, billId: s.billId })
      }
    }
  }
  return { movements, left }
}

const findCreditOwner = async (
  tx: Tx,
  scope: Scope,
  p: PaymentContext,
): Promise<{
  readonly owner: AccountOwner
  readonly name: string
  readonly building?: string | undefined
}> => {
  const [owner] = accountOwnersOf(p)
  if (!owner) return refuse('没有可以转存的预存账户：请先选择房间、住户或企业')
  const seen = await tx.one<{ name: string; building?: string }>(
    sql`
      select source_name as name, build_code as building
      from bill
      where owner_id = ${scope.ownerId}
        and id = any(${p.shares.map(s => s.billId)})
        and source_code = ${owner.code}
      limit 1
    `,
  )
  return { owner, name: seen?.name ?? p.payer.name ?? owner.code, building: seen?.building }
}

registerTenderProvider('prestore', {
  async balances(db, scope, p) {
    const purses = (await findPrepaidAccounts(db, scope.ownerId, p.projectCode, accountOwnersOf(p))).filter(
      x => !x.frozen && x.balance + x.gift > 0,
    )
    const ids = purses.map(x => x.itemId)
    const names = new Map(
      (
        await db.rows<{ id: number; name: string }>(
          sql`select id, name from fee_item where owner_id = ${scope.ownerId} and id = any(${ids})`,
        )
      ).map(i => [i.id, i.name]),
    )
    return [...Map.groupBy(purses, x => x.itemId)].map(([itemId, list]) => ({
      itemId,
      name: itemId ? (names.get(itemId) ?? '') : '通用',
      amount: sumFen(list.map(x => x.balance + x.gift)),
    }))
  },
  async debit(tx, scope, amount, p) {
    const [purses, set] = [
      await findPrepaidAccounts(tx, scope.ownerId, p.projectCode, accountOwnersOf(p), true),
      await tx.one<{ gift: boolean }>(
        sql`
          select gift_first as gift
          from prestore_switch
          where owner_id = ${scope.ownerId} and project_code = ${p.projectCode} and ${live()}
        `,
      ),
    ]
    const { movements, left } = drawFromAccounts(purses, p.shares, amount, set?.gift ?? false)
    if (left > 0) refuse(`预存余额不足：还差 ${formatYuan(left)} 元，请减少预存抵扣的金额`)
    await postEntries(
      tx,
      scope,
      movements.map(m => ({ ...m, type: 'deduct', recordId: p.recordId })),
      await paymentTimeOf(tx, scope, p),
    )
  },
  /** Last in, first out: the entries of the record are taken back until the amount is there (REF-9). */
  async reverseDebit(tx, scope, amount, p) {
    const rows = await tx.rows<{
      id: number
      accountId: number
      gift: boolean
      billId?: number
      open: string
    }>(sql`
      select e.id, e.account_id, e.gift, e.bill_id,
        (
          -e.amount - coalesce(
            (
              select sum(u.amount)
              from prestore_entry u
              where u.owner_id = e.owner_id and u.reverses_id = e.id
            ),
            0
          )
        )::text as open
      from prestore_entry e
      where e.owner_id = ${scope.ownerId} and e.record_id = ${p.recordId} and e.entry_type = 20
      order by e.id desc
      for update of e
    `)
    let left = amount
    const back = rows.flatMap(r => {
      const x = Math.min(left, parseYuan(r.open))
      left -= x
      return x > 0
        ? [
            {
              accountId: r.accountId,
              type: 'undone' as const,
              amount: x,
              gift: r.gift,
              billId: r.billId,
              recordId: p.recordId,
              reverses: r.id,
            },
          ]
        : []
    })
    if (left > 0) refuse('退回预存的金额超过当时抵扣的金额')
    await postEntries(tx, scope, back, await paymentTimeOf(tx, scope, p))
  },
  async credit(tx, scope, amount, p, why) {
    const { owner, name: called, building } = await findCreditOwner(tx, scope, p)
    const a = await ensurePrepaidAccount(tx, scope, p.projectCode, owner, called, 0, building)
    await postEntries(
      tx,
      scope,
      [
        {
          accountId: a.id,
          type: why === 'change' ? 'change' : 'moveIn',
          amount,
          recordId: p.recordId,
          remark: why === 'change' ? undefined : '退款转预存',
        },
      ],
      await paymentTimeOf(tx, scope, p),
    )
  },
  async reverseCredit(tx, scope, amount, p) {
    const rows = await tx.rows<{
      id: number
      accountId: number
      open: string
    }>(sql`
      select e.id, e.account_id,
        (
          e.amount + coalesce(
            (
              select sum(u.amount)
              from prestore_entry u
              where u.owner_id = e.owner_id and u.reverses_id = e.id
            ),
            0
          )
        )::text as open
      from prestore_entry e
      where e.owner_id = ${scope.ownerId} and e.record_id = ${p.recordId} and e.entry_type in (40, 60)
      order by e.id desc
      for update of e
    `)
    let left = amount
    const out = rows.flatMap(r => {
      const x = Math.min(left, parseYuan(r.open))
      left -= x
      return x > 0
        ? [
            {
              accountId: r.accountId,
              type: 'adjust' as const,
              amount: -x,
              recordId: p.recordId,
              reverses: r.id,
              remark: '收款作废',
            },
          ]
        : []
    })
    if (left > 0) refuse('找不到这笔转存，请联系管理员')
    await postEntries(tx, scope, out, await paymentTimeOf(tx, scope, p))
  },
})
