import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import { databaseCodeOf } from './database-code.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findCompanyContacts } from '#modules/companies/server/public.ts'
import { feeType, payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import {
  lockPrices,
  canOverlap,
  parsePayer,
  toCompanyPayer,
  type Payer,
  type Snapshot,
  type SourceType,
} from '#modules/fees/server/public.ts'
import { findResidentContacts } from '#modules/residents/server/public.ts'
import { code } from '#kit/server/sql.ts'
import { billSource, billState } from '../contract/choices.ts'
import { spreadOverMonths } from '../domain/months.ts'
import { isCountedInStatistics, isCyclic } from './stored-bill.ts'

/** A bill that is about to be written. */
export interface BillDraft {
  readonly billNo: string
  readonly sourceType: SourceType
  readonly sourceCode: string
  readonly sourceName: string
  readonly buildCode?: string | undefined
  readonly payer?: Payer | undefined
  readonly item: Pick<FeeItem, 'id' | 'name' | 'feeType' | 'allowMulti'>
  readonly standardId?: Id | undefined
  readonly relationId?: Id | undefined
  readonly begin: Day
  readonly end: Day
  readonly amount: Fen
  readonly dueDate: Day
  readonly quantity?: Decimal | undefined
  readonly price?: Decimal | undefined
  readonly snapshot?: Snapshot | undefined
  readonly reading?:
    | {
        readonly id: Id
        readonly last?: Decimal | undefined
        readonly current: Decimal
        readonly multiplier: Decimal
      }
    | undefined
  readonly pool?: number | undefined
  /** May overlap other bills of its item although the item does not allow that: a correction (SHR-5). */
  readonly canOverlap?: boolean | undefined
  readonly replaces?: number | undefined
  readonly remark?: string | undefined
}

/** What all bills of one call have in common. */
export interface BillBatch {
  readonly project: string
  readonly batchNo: string
  readonly source: ChoiceOf<typeof billSource>
  readonly state: 'pending' | 'normal'
  readonly isPre?: boolean
}

export type Contacts = ReadonlyMap<
  Payer,
  { readonly name: string; readonly mobile?: string; readonly openId?: string; readonly openSince?: string }
>

/** Names and phones of payers as they are now; a bill keeps them as they were when it was written (C3.1). */
export async function findPayerContacts(
  db: Db,
  owner: Id,
  payers: Iterable<Payer | undefined>,
): Promise<Contacts> {
  const sides = [...new Set([...payers].filter(p => p !== undefined))].map(parsePayer)
  const idsOf = (kind: 'resident' | 'company'): Id[] => sides.filter(s => s.kind === kind).map(s => s.id)
  const [residents, companies] = await Promise.all([
    findResidentContacts(db, owner, idsOf('resident')),
    findCompanyContacts(db, owner, idsOf('company')),
  ])
  return new Map([
    ...residents.map(r => [r.id, r] as const),
    ...companies.map(c => [toCompanyPayer(c.id), c] as const),
  ])
}

const draftPayerSide = (b: BillDraft) => (b.payer === undefined ? undefined : parsePayer(b.payer))
type ColumnValue = string | number | boolean | undefined

/** Columns of `bill` with their types and values; each column is sent as one array. */
const usualColumns: readonly (readonly [
  name: string,
  type: string,
  value: (b: BillDraft, contacts: Contacts, batch: BillBatch) => ColumnValue,
])[] = [
  ['bill_no', 'text', b => b.billNo],
  ['source_type', 'smallint', b => codeOf(sourceType, b.sourceType)],
  ['source_code', 'text', b => b.sourceCode],
  ['source_name', 'text', b => b.sourceName],
  ['build_code', 'text', b => b.buildCode],
  [
    'payer_kind',
    'smallint',
    b => {
      const p = draftPayerSide(b)
      return p && codeOf(payerSide, p.kind)
    },
  ],
  ['payer_id', 'integer', b => draftPayerSide(b)?.id],
  ['payer_name', 'text', (b, c) => (b.payer === undefined ? undefined : c.get(b.payer)?.name)],
  ['payer_mobile', 'text', (b, c) => (b.payer === undefined ? undefined : c.get(b.payer)?.mobile)],
  ['fee_item_id', 'bigint', b => b.item.id],
  ['fee_item_name', 'text', b => b.item.name],
  ['fee_type', 'smallint', b => codeOf(feeType, b.item.feeType)],
  ['run_free', 'boolean', b => b.canOverlap || canOverlap(b.item)],
  ['standard_id', 'bigint', b => b.standardId],
  ['relation_id', 'bigint', b => b.relationId],
  ['begin_date', 'date', b => b.begin],
  ['end_date', 'date', b => b.end],
  ['belong_month', 'text', b => monthOf(b.begin)],
  ['due_date', 'date', b => b.dueDate],
  ['amount', 'numeric', b => formatYuan(b.amount)],
  ['qty', 'numeric', b => b.quantity],
  ['price', 'numeric', b => b.price],
  ['calc_snapshot', 'jsonb', b => b.snapshot && JSON.stringify(b.snapshot)],
  ['bill_source', 'smallint', (b, _, batch) => codeOf(billSource, b.reading ? 'metered' : batch.source)],
]

/** Columns that few bills have: left out of the statement when none of its bills has them. */
const rareColumns: typeof usualColumns = [
  ['last_num', 'numeric', b => b.reading?.last],
  ['cur_num', 'numeric', b => b.reading?.current],
  ['multiple', 'numeric', b => b.reading?.multiplier],
  ['ref_type', 'text', b => (b.reading ? 'reading' : b.pool === undefined ? undefined : 'pool')],
  ['ref_id', 'integer', b => b.reading?.id ?? b.pool],
  ['replaces_bill_id', 'bigint', b => b.replaces],
  ['remark', 'text', b => b.remark],
]

const allColumns = [...usualColumns, ...rareColumns]
const columnNames = (columns: typeof usualColumns) => sql.raw(columns.map(c => c[0]).join(', '))

const columnArrays = (
  columns: typeof usualColumns,
  ids: readonly Id[],
  value: (c: (typeof usualColumns)[number]) => readonly (NonNullable<ColumnValue> | null)[],
) =>
  sql`unnest(
    ${sqlArray('bigint', ids)}, ${sql.join(columns.map(c => sqlArray(c[1], value(c))))}
  ) as r(id, ${columnNames(columns)})`

/**
 * Writes bills, and the rows by month of those that count in statistics already (bills that wait for audit
 * get theirs when they are audited). Returns the ids by bill number. A second call with the same bills is
 * refused by `bill_overlap`, `bill_relation_once` or `bill_reading_once`.
 */
export async function issueBills(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId'>,
  batch: BillBatch,
  bills: readonly BillDraft[],
  contacts: Contacts,
): Promise<ReadonlyMap<string, Id>> {
  if (!bills.length) return new Map()
  const { ownerId } = scope
  const prices = new Set<Id>(bills.flatMap(b => b.snapshot?.parts.map(p => p.version) ?? []))
  const [next] = await settleStatements([
    tx.rows<{ id: Id }>(
      sql`select nextval('bill_id_seq') as id from generate_series(1, ${bills.length}::int)`,
    ),
    lockPrices(tx, ownerId, [...prices]),
  ])
  const ids = next.map(r => r.id)
  const months = batch.state === 'normal' ? monthRowsOf(bills, ids) : []
  await settleStatements([
    insertBills(tx, scope, batch, bills, ids, contacts),
    ...(months.length ? [insertBillMonths(tx, ownerId, batch.project, months)] : []),
  ])
  return new Map(bills.map((b, i) => [b.billNo, defined(ids[i])]))
}

function insertBills(
  tx: Tx,
  { ownerId, operatorId }: Pick<Scope, 'ownerId' | 'operatorId'>,
  batch: BillBatch,
  bills: readonly BillDraft[],
  ids: readonly Id[],
  contacts: Contacts,
): Promise<number> {
  const hasRare = bills.some(b => rareColumns.some(([, , value]) => value(b, contacts, batch) !== undefined))
  const columns = hasRare ? allColumns : usualColumns
  return tx.execute(sql`
    insert into bill (
      owner_id, id, project_code, batch_no, state, is_pre, create_by, update_by,
      ${columnNames(columns)}
    )
    select ${ownerId}::bigint, id, ${batch.project}, ${batch.batchNo},
      ${code(billState, batch.state)}::smallint, ${batch.isPre ?? false}::boolean, ${operatorId}::bigint,
      ${operatorId}::bigint, ${columnNames(columns)}
    from ${columnArrays(columns, ids, ([, , value]) => bills.map(b => value(b, contacts, batch) ?? null))}
    returning 1
  `)
}

interface IssuedMonth {
  readonly bill: Id
  readonly month: Month
  readonly item: Id
  readonly days: number
  readonly receivable: Fen
}

const monthRowsOf = (bills: readonly BillDraft[], ids: readonly Id[]): IssuedMonth[] =>
  bills.flatMap((b, i) =>
    isCountedInStatistics({ state: 'normal', feeType: b.item.feeType })
      ? spreadOverMonths(b, { receivable: b.amount, discount: 0, paid: 0 }, isCyclic(b.item.feeType)).map(
          m => ({ ...m, bill: defined(ids[i]), item: b.item.id }),
        )
      : [],
  )

/** New bills have no discount and no payment (STAT-2). */
function insertBillMonths(
  tx: Tx,
  ownerId: Id,
  project: string,
  months: readonly IssuedMonth[],
): Promise<number> {
  const column = (type: string, value: (m: IssuedMonth) => string | number) =>
    sqlArray(type, months.map(value))
  return tx.execute(sql`
    insert into bill_month (
      owner_id, project_code, bill_id, month, fee_item_id, days, receivable, discount, paid
    )
    select ${ownerId}::bigint, ${project}, *, 0, 0
    from unnest(
      ${column('bigint', m => m.bill)}, ${column('text', m => m.month)}, ${column('bigint', m => m.item)},
      ${column('int', m => m.days)}, ${column('numeric', m => formatYuan(m.receivable))}
    )
    returning 1
  `)
}

/**
 * Waits for all statements of a transaction that were sent together. Throws the error of the statement that
 * failed, not those of the others, which only say that the transaction is aborted (25P02).
 */
export async function settleStatements<T extends readonly unknown[]>(
  statements: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  // oxlint-disable-next-line typescript/await-thenable -- the mapped tuple holds promises only
  const results = await Promise.allSettled<unknown>(statements)
  const reasons = results.flatMap((s): unknown[] => (s.status === 'rejected' ? [s.reason] : []))
  if (reasons.length) throw toError(reasons.find(r => databaseCodeOf(r) !== '25P02') ?? reasons[0])
  // oxlint-disable-next-line typescript/await-thenable -- the mapped tuple holds promises only
  return Promise.all(statements)
}
