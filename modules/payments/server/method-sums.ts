import { parseId, type Id } from '#kit/domain/id.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, codes } from '#kit/server/sql.ts'
import { offsetMethods, payMethod, recordState, recordType } from '../contract/choices.ts'
import type { PayRecord } from '../contract/record.ts'
import { isMixedRecord, isPaidBy, selectPaidParts } from './paid-parts.ts'

type Fragment = RawBuilder<unknown>
type PayMethod = ChoiceOf<typeof payMethod>

const readAmounts = <K extends string>(
  row: Readonly<Record<K, string>> | undefined,
  keys: readonly K[],
): Record<string, Fen> => Object.fromEntries(keys.map(key => [key, parseYuan(row?.[key] ?? '0')]))

const isOffset = sql`p.method in ${codes(payMethod, ...offsetMethods)}`
const isBillPart = sql`p.detail_id is not null`
const isDeposit = sql`t.record_type = ${code(recordType, 'deposit')}`
const isVoided = sql`t.state = ${code(recordState, 'voided')}`
const signed = sql`p.side * p.amount`

const recordAmountKeys = [
  'receivedAmount',
  'principalAmount',
  'lateFeeAmount',
  'prestoreAmount',
  'couponAmount',
  'toPrestore',
] as const

const sumWhere = (part: Fragment): Fragment => sql`coalesce(sum(${signed}) filter (where ${part}), 0)`

/** The amounts of `recordAmountKeys` of some parts `p` of records `t`. */
const partAmounts = {
  receivedAmount: sumWhere(sql`not ${isOffset}`),
  principalAmount: sumWhere(sql`${isBillPart} and not p.is_late_fee and not ${isDeposit}`),
  lateFeeAmount: sumWhere(sql`${isBillPart} and p.is_late_fee`),
  prestoreAmount: sumWhere(sql`p.method = ${code(payMethod, 'prestore')}`),
  couponAmount: sumWhere(sql`p.method = ${code(payMethod, 'parkCoupon')}`),
  toPrestore: sumWhere(sql`p.detail_id is null and t.to_prestore <> 0`),
} satisfies Record<(typeof recordAmountKeys)[number], Fragment>

/**
 * Records as a filter by method counts them: a mixed payment with the amounts of those methods, so that the
 * rows add up to `sumRecordsByMethod`. What is no longer valid is in no sum and stays whole.
 */
export async function withAmountsByMethod<R extends Pick<PayRecord, 'id' | 'methods' | 'state'>>(
  db: Db,
  ownerId: Id,
  rows: readonly R[],
  methods: readonly PayMethod[] | undefined,
): Promise<readonly R[]> {
  const mixed = rows.filter(row => row.methods.length > 1 && row.state !== 'voided').map(row => row.id)
  if (!methods?.length || !mixed.length) return rows
  const found = await db.rows<{ id: Id } & Record<(typeof recordAmountKeys)[number], string>>(sql`
    select t.id, ${sql.join(recordAmountKeys.map(key => sql`${partAmounts[key]}::text as ${sql.id(key)}`))}
    from (${selectPaidParts(ownerId, sql`select x as id from unnest(${mixed}::bigint[]) as x`)}) p
    join pay_record t on t.owner_id = ${ownerId} and t.id = p.record_id
    where ${isPaidBy(sql`p.method`, methods)}
    group by t.id
  `)
  const amountsById = new Map(found.map(row => [row.id, readAmounts(row, recordAmountKeys)]))
  return rows.map(row => ({ ...row, ...amountsById.get(row.id) }))
}

/**
 * The sums of records `t` as far as the methods paid for them: a mixed payment counts with its own part, so
 * that the sums of all methods are the sums of all records (PAY-15). There is no sum of what was refunded:
 * that went by other ways.
 */
export async function sumRecordsByMethod(
  db: Db,
  ownerId: Id,
  condition: Fragment,
  methods: readonly PayMethod[],
): Promise<Record<string, Fen>> {
  const found = sql`from pay_record t where ${condition} and not ${isVoided}`
  const [row] = await db.rows<Record<(typeof recordAmountKeys)[number], string>>(sql`
    select sum(received_amount)::text as received_amount, sum(principal_amount)::text as principal_amount,
      sum(late_fee_amount)::text as late_fee_amount, sum(prestore_amount)::text as prestore_amount,
      sum(coupon_amount)::text as coupon_amount, sum(to_prestore)::text as to_prestore
    from (
      select coalesce(sum(t.received_amount), 0) as received_amount,
        coalesce(sum(t.principal_amount), 0) as principal_amount,
        coalesce(sum(t.late_fee_amount), 0) as late_fee_amount,
        coalesce(sum(t.prestore_amount), 0) as prestore_amount,
        coalesce(sum(t.coupon_amount), 0) as coupon_amount, coalesce(sum(t.to_prestore), 0) as to_prestore
      ${found} and not ${isMixedRecord}
      union all
      select ${sql.join(recordAmountKeys.map(key => partAmounts[key]))}
      from (${selectPaidParts(ownerId, sql`select t.id ${found} and ${isMixedRecord}`)}) p
      join pay_record t on t.owner_id = ${ownerId} and t.id = p.record_id
      where ${isPaidBy(sql`p.method`, methods)}
    ) x
  `)
  return readAmounts(row, recordAmountKeys)
}

/**
 * What the methods paid of the lines of mixed payments, by line, as `sumTrades` adds it up; lines of a record
 * that is no longer valid are whole.
 */
export async function findLineAmounts(
  db: Db,
  ownerId: Id,
  records: readonly Id[],
  methods: readonly PayMethod[] | undefined,
): Promise<ReadonlyMap<Id, { readonly principal: Fen; readonly lateFee: Fen }>> {
  if (!methods?.length || !records.length) return new Map()
  const mixed = sql`
    select t.id
    from pay_record t
    where t.owner_id = ${ownerId} and t.id = any(${[...new Set(records)]}) and ${isMixedRecord} and not ${isVoided}
  `
  const found = await db.rows<{ id: Id; principal: string; lateFee: string }>(sql`
    select p.detail_id as id, ${sumWhere(sql`not p.is_late_fee`)}::text as principal,
      ${sumWhere(sql`p.is_late_fee`)}::text as late_fee
    from (${selectPaidParts(ownerId, mixed)}) p
    where ${isBillPart} and ${isPaidBy(sql`p.method`, methods)}
    group by p.detail_id
  `)
  return new Map(
    found.map(({ id, principal, lateFee }) => [
      parseId(id),
      { principal: parseYuan(principal), lateFee: parseYuan(lateFee) },
    ]),
  )
}

const tradeSumKeys = ['principal', 'deposit', 'lateFee'] as const

/** The sums of the details that `lines` selects (`id`), whole or as far as the methods paid for them. */
export async function sumTrades(
  db: Db,
  ownerId: Id,
  lines: Fragment,
  methods: readonly PayMethod[] | undefined,
): Promise<Record<string, Fen>> {
  const details = sql`
    line
    join pay_detail d on d.owner_id = ${ownerId} and d.id = line.id
    join pay_record t on t.owner_id = ${ownerId} and t.id = d.record_id and not ${isVoided}
  `
  const whole = sql`
    select ${isDeposit} as is_deposit, d.principal, d.late_fee
    from ${details}
  `
  const parts = sql`
    ${whole}
    where not ${isMixedRecord}
    union all
    select ${isDeposit}, case when p.is_late_fee then 0 else ${signed} end,
      case when p.is_late_fee then ${signed} else 0 end
    from (
      ${selectPaidParts(ownerId, sql`select distinct t.id from ${details} where ${isMixedRecord}`)}
    ) p
    join line on line.id = p.detail_id
    join pay_record t on t.owner_id = ${ownerId} and t.id = p.record_id
    where ${isPaidBy(sql`p.method`, methods ?? [])}
  `
  const [row] = await db.rows<Record<(typeof tradeSumKeys)[number], string>>(sql`
    with line as (${lines})
    select coalesce(sum(x.principal) filter (where not x.is_deposit), 0)::text as principal,
      coalesce(sum(x.principal) filter (where x.is_deposit), 0)::text as deposit,
      coalesce(sum(x.late_fee), 0)::text as late_fee
    from (${methods?.length ? parts : whole}) x
  `)
  return readAmounts(row, tradeSumKeys)
}
