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
import { findResidentContacts, type ResidentContact } from '#modules/residents/server/public.ts'
import { code } from '#kit/server/sql.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { bill as billEntity } from '../contract/bill.ts'
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
  /** The work order that it charges. */
  readonly workOrderId?: Id | undefined
  /** The order of another module that it charges: months of a car, coupons of a merchant. */
  readonly order?: { readonly type: string; readonly id: Id } | undefined
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

export type Contacts = ReadonlyMap<Payer, Omit<ResidentContact, 'id'>>

/** Names and phones of payers as they are now; a bill keeps them as they were when it was written (C3.1). */
export async function findPayerContacts(
  db: Db,
  ownerId: Id,
  payers: Iterable<Payer | undefined>,
): Promise<Contacts> {
  const sides = [...new Set([...payers].filter(p => p !== undefined))].map(parsePayer)
  const idsOf = (kind: 'resident' | 'company'): Id[] => sides.filter(s => s.kind === kind).map(s => s.id)
  const [residents, companies] = await Promise.all([
    findResidentContacts(db, ownerId, idsOf('resident')),
    findCompanyContacts(db, ownerId, idsOf('company')),
  ])
  return new Map([
    ...residents.map(r => [r.id, r] as const),
    ...companies.map(c => [toCompanyPayer(c.id), c] as const),
  ])
}

const draftPayerSide = (bill: BillDraft) => (bill.payer === undefined ? undefined : parsePayer(bill.payer))
type ColumnValue = string | number | boolean | undefined

/** Columns of `bill` with their types and values; each column is sent as one array. */
const usualColumns: readonly (readonly [
  name: string,
  type: string,
  value: (bill: BillDraft, contacts: Contacts, batch: BillBatch) => ColumnValue,
])[] = [
  ['bill_no', 'text', bill => bill.billNo],
  ['source_type', 'smallint', bill => codeOf(sourceType, bill.sourceType)],
  ['source_code', 'text', bill => bill.sourceCode],
  ['source_name', 'text', bill => bill.sourceName],
  ['build_code', 'text', bill => bill.buildCode],
  [
    'payer_kind',
    'smallint',
    bill => {
      const side = draftPayerSide(bill)
      return side && codeOf(payerSide, side.kind)
    },
  ],
  ['payer_id', 'integer', bill => draftPayerSide(bill)?.id],
  [
    'payer_name',
    'text',
    (bill, contacts) => (bill.payer === undefined ? undefined : contacts.get(bill.payer)?.name),
  ],
  [
    'payer_mobile',
    'text',
    (bill, contacts) => (bill.payer === undefined ? undefined : contacts.get(bill.payer)?.mobile),
  ],
  ['fee_item_id', 'bigint', bill => bill.item.id],
  ['fee_item_name', 'text', bill => bill.item.name],
  ['fee_type', 'smallint', bill => codeOf(feeType, bill.item.feeType)],
  ['run_free', 'boolean', bill => bill.canOverlap || canOverlap(bill.item)],
  ['standard_id', 'bigint', bill => bill.standardId],
  ['relation_id', 'bigint', bill => bill.relationId],
  ['begin_date', 'date', bill => bill.begin],
  ['end_date', 'date', bill => bill.end],
  ['belong_month', 'text', bill => monthOf(bill.begin)],
  ['due_date', 'date', bill => bill.dueDate],
  ['amount', 'numeric', bill => formatYuan(bill.amount)],
  ['qty', 'numeric', bill => bill.quantity],
  ['price', 'numeric', bill => bill.price],
  ['calc_snapshot', 'jsonb', bill => bill.snapshot && JSON.stringify(bill.snapshot)],
  [
    'bill_source',
    'smallint',
    (bill, _, batch) => codeOf(billSource, bill.reading ? 'metered' : batch.source),
  ],
]

const refTypeOf = (bill: BillDraft): ColumnValue => {
  if (bill.reading) return 'reading'
  if (bill.pool !== undefined) return 'pool'
  if (bill.workOrderId !== undefined) return 'workOrder'
  return bill.order?.type
}

/** Columns that few bills have: left out of the statement when none of its bills has them. */
const rareColumns: typeof usualColumns = [
  ['last_num', 'numeric', bill => bill.reading?.last],
  ['cur_num', 'numeric', bill => bill.reading?.current],
  ['multiple', 'numeric', bill => bill.reading?.multiplier],
  ['ref_type', 'text', refTypeOf],
  ['ref_id', 'integer', bill => bill.reading?.id ?? bill.pool ?? bill.workOrderId ?? bill.order?.id],
  ['replaces_bill_id', 'bigint', bill => bill.replaces],
  ['remark', 'text', bill => bill.remark],
]

const allColumns = [...usualColumns, ...rareColumns]
const columnNames = (columns: typeof usualColumns) => sql.raw(columns.map(([name]) => name).join(', '))

const columnArrays = (
  columns: typeof usualColumns,
  ids: readonly Id[],
  value: (column: (typeof usualColumns)[number]) => readonly (NonNullable<ColumnValue> | null)[],
) =>
  sql`unnest(
    ${sqlArray('bigint', ids)}, ${sql.join(columns.map(column => sqlArray(column[1], value(column))))}
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
  const prices = new Set<Id>(bills.flatMap(bill => bill.snapshot?.parts.map(part => part.version) ?? []))
  const [next] = await settleStatements([
    tx.rows<{ id: Id }>(
      sql`select nextval('bill_id_seq') as id from generate_series(1, ${bills.length}::int)`,
    ),
    lockPrices(tx, ownerId, [...prices]),
  ])
  const ids = next.map(row => row.id)
  const months = batch.state === 'normal' ? monthRowsOf(bills, ids) : []
  await settleStatements([
    insertBills(tx, scope, batch, bills, ids, contacts),
    ...(months.length ? [insertBillMonths(tx, ownerId, batch.project, months)] : []),
  ])
  publishRecordsWritten(tx, ownerId, {
    entity: billEntity.name,
    action: 'insert',
    ids,
    projectCode: batch.project,
  })
  return new Map(bills.map((bill, i) => [bill.billNo, defined(ids[i])]))
}

function insertBills(
  tx: Tx,
  { ownerId, operatorId }: Pick<Scope, 'ownerId' | 'operatorId'>,
  batch: BillBatch,
  bills: readonly BillDraft[],
  ids: readonly Id[],
  contacts: Contacts,
): Promise<number> {
  const hasRare = bills.some(bill =>
    rareColumns.some(([, , value]) => value(bill, contacts, batch) !== undefined),
  )
  const columns = hasRare ? allColumns : usualColumns
  return tx.execute(sql`
    insert into bill (
      owner_id, id, project_code, batch_no, state, is_pre, create_by, update_by,
      ${columnNames(columns)}
    )
    select ${ownerId}::bigint, id, ${batch.project}, ${batch.batchNo},
      ${code(billState, batch.state)}::smallint, ${batch.isPre ?? false}::boolean, ${operatorId}::bigint,
      ${operatorId}::bigint, ${columnNames(columns)}
    from ${columnArrays(columns, ids, ([, , value]) => bills.map(bill => value(bill, contacts, batch) ?? null))}
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
  bills.flatMap((bill, i) =>
    isCountedInStatistics({ state: 'normal', feeType: bill.item.feeType })
      ? spreadOverMonths(
          bill,
          { receivable: bill.amount, discount: 0, paid: 0 },
          isCyclic(bill.item.feeType),
        ).map(row => ({ ...row, bill: defined(ids[i]), item: bill.item.id }))
      : [],
  )

/** New bills have no discount and no payment (STAT-2). */
function insertBillMonths(
  tx: Tx,
  ownerId: Id,
  project: string,
  months: readonly IssuedMonth[],
): Promise<number> {
  const column = (type: string, value: (row: IssuedMonth) => string | number) =>
    sqlArray(type, months.map(value))
  return tx.execute(sql`
    insert into bill_month (
      owner_id, project_code, bill_id, month, fee_item_id, days, receivable, discount, paid
    )
    select ${ownerId}::bigint, ${project}, *, 0, 0
    from unnest(
      ${column('bigint', row => row.bill)}, ${column('text', row => row.month)}, ${column('bigint', row => row.item)},
      ${column('int', row => row.days)}, ${column('numeric', row => formatYuan(row.receivable))}
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
  const reasons = results.flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  if (reasons.length) throw toError(reasons.find(reason => databaseCodeOf(reason) !== '25P02') ?? reasons[0])
  // oxlint-disable-next-line typescript/await-thenable -- the mapped tuple holds promises only
  return Promise.all(statements)
}
