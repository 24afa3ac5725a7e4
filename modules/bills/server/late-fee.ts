import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf } from '#kit/contract/field.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { equalsAny } from '#kit/server/sql.ts'
import { capMode, graceMode } from '#modules/fees/contract/choices.ts'
import type { Bill as BillRow } from '../contract/bill.ts'
import { computeLateFeeDue, type LateFeePolicy, type PrincipalEntry } from '../domain/late-fee.ts'
import { toBill } from './stored-bill.ts'

interface LateFeeTerms {
  readonly itemId: Id
  readonly standardId?: Id
  readonly on: boolean
  readonly rates?: LateFeePolicy['rates']
  readonly graceDays?: number
  readonly graceMode?: number
  readonly capMode?: number
  readonly capValue?: string
  readonly minPrincipal?: string
  readonly minAmount?: string
  readonly begin?: Day
  readonly principalSettles: boolean
  readonly sort: number
}

const parseOptionalYuan = (yuan: string | undefined): Fen | undefined =>
  yuan === undefined ? undefined : parseYuan(yuan)

const toLateFeePolicy = (terms: LateFeeTerms): LateFeePolicy => ({
  on: terms.on,
  rates: terms.rates ?? [],
  graceDays: terms.graceDays ?? 0,
  graceMode: (terms.graceMode !== undefined && keyOf(graceMode, terms.graceMode)) || 'all',
  capMode: (terms.capMode !== undefined && keyOf(capMode, terms.capMode)) || 'none',
  capValue: terms.capValue,
  minPrincipal: parseOptionalYuan(terms.minPrincipal),
  minAmount: parseOptionalYuan(terms.minAmount),
  from: terms.begin,
})

/** For item `i` and standard `s`: the standard decides when it has its own rule, otherwise the item. */
export const lateFeeEnabled: RawBuilder<boolean> = sql`(s.late_fee_switch is true or i.late_fee_switch)`

export interface BillRule {
  readonly late: LateFeePolicy
  readonly principalSettles: boolean
  readonly sort: number
}

type ChargedBy = Pick<BillRow, 'feeItemId' | 'standardId'>

export type FindRule = (bill: ChargedBy) => BillRule

/** The late fee rules of items and standards, the standard before the item (LATE-1). */
export async function findBillRules(db: Db, ownerId: Id, bills: readonly ChargedBy[]): Promise<FindRule> {
  const pairs = [...new Set(bills.map(b => `${b.feeItemId}/${b.standardId ?? 0}`))].map(s =>
    s.split('/').map(Number),
  )
  return findRules(
    db,
    ownerId,
    sql`unnest(
        ${pairs.map(p => defined(p[0]))}::bigint[], ${pairs.map(p => defined(p[1]))}::bigint[]
      )`,
  )
}

/**
 * The rules of bills that are not read yet: sent behind the statement that locks them, it sees what they are
 * charged by once they are locked.
 */
export const findBillRulesByIds = (db: Db, ownerId: Id, ids: readonly Id[]): Promise<FindRule> =>
  findRules(
    db,
    ownerId,
    sql`(
        select distinct fee_item_id, coalesce(standard_id, 0)
        from bill
        where owner_id = ${ownerId} and id ${equalsAny(ids)}
      )`,
  )

/** `pairs`: numbers of items and standards, 0 for none. */
async function findRules(db: Db, ownerId: Id, pairs: RawBuilder<unknown>): Promise<FindRule> {
  const found = await db.rows<LateFeeTerms>(sql`
      select p.item_id, nullif(p.standard_id, 0) as standard_id, ${lateFeeEnabled} as on,
        coalesce(case when s.late_fee_switch then s.late_rates end, i.late_rates) as rates,
        coalesce(case when s.late_fee_switch then s.grace_days end, i.grace_days) as grace_days,
        i.grace_mode, i.late_fee_cap_mode as cap_mode, trim_scale(i.late_fee_cap_value)::text as cap_value,
        i.late_fee_min_principal::text as min_principal, i.late_fee_min_amount::text as min_amount,
        i.late_fee_begin_date as begin, i.principal_settles, coalesce(i.sort, 0) as sort
      from ${pairs} as p(item_id, standard_id)
      join fee_item i on i.owner_id = ${ownerId} and i.id = p.item_id
      left join fee_standard s on s.owner_id = ${ownerId} and s.id = p.standard_id
    `)
  const known = new Map(
    found.map(terms => [
      `${terms.itemId}/${terms.standardId ?? 0}`,
      {
        late: toLateFeePolicy(terms),
        principalSettles: terms.principalSettles,
        sort: terms.sort,
      } satisfies BillRule,
    ]),
  )
  const none: BillRule = {
    late: toLateFeePolicy({ itemId: 0, on: false, principalSettles: false, sort: 0 }),
    principalSettles: false,
    sort: 0,
  }
  return b => known.get(`${b.feeItemId}/${b.standardId ?? 0}`) ?? none
}

/** Payments and refunds of principal by day, from which late fees are computed (LATE-6). */
export async function findPrincipalEntries(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, readonly PrincipalEntry[]>> {
  const rows = ids.length
    ? await db.rows<{ billId: Id; day: Day; amount: string }>(
        sql`
          select bill_id, day, sum(principal)::text as amount
          from bill_move
          where owner_id = ${ownerId} and bill_id = any(${ids})
          group by 1, 2
          order by 1, 2
        `,
      )
    : []
  return new Map(
    [...Map.groupBy(rows, r => r.billId)].map(([bill, list]) => [
      bill,
      list.map(m => ({ day: m.day, amount: parseYuan(m.amount) })),
    ]),
  )
}

/** The total late fee of each bill on a day, computed but not written (LATE-6, LATE-12). */
export async function computeLateFees(
  db: Db,
  ownerId: Id,
  bills: readonly BillRow[],
  asOf: Day,
  known?: (b: BillRow) => BillRule,
): Promise<ReadonlyMap<Id, Fen>> {
  const overdue = bills.filter(b => b.dueDate < asOf)
  if (!overdue.length) return new Map(bills.map(b => [b.id, b.lateFeeDue]))
  const [ruleOf, entries] = [
    known ?? (await findBillRules(db, ownerId, overdue)),
    await findPrincipalEntries(
      db,
      ownerId,
      overdue.filter(b => b.paidPrincipal > 0 || b.refundState !== 'none').map(b => b.id),
    ),
  ]
  return new Map(
    bills.map(bill => [
      bill.id,
      bill.dueDate < asOf
        ? computeLateFeeDue(toBill(bill), ruleOf(bill).late, entries.get(bill.id) ?? [], asOf)
        : bill.lateFeeDue,
    ]),
  )
}
