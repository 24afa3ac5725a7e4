import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Dec } from '#kit/domain/decimal.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
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
  type Payer,
  type Snapshot,
  type SourceType,
} from '#modules/fees/server/public.ts'
import { findResidentContacts } from '#modules/residents/server/public.ts'
import { billSource, billState } from '../contract/choices.ts'
import { spreadOverMonths } from '../domain/months.ts'

/** A bill that is about to be written. */
export interface BillDraft {
  readonly billNo: string
  readonly sourceType: SourceType
  readonly sourceCode: string
  readonly sourceName: string
  readonly buildCode?: string | undefined
  readonly payer?: Payer | undefined
  readonly item: Pick<FeeItem, 'id' | 'name' | 'feeType' | 'allowMulti'>
  readonly standardId?: number | undefined
  readonly relationId?: number | undefined
  readonly begin: Day
  readonly end: Day
  readonly amount: Fen
  readonly dueDate: Day
  readonly quantity?: Dec | undefined
  readonly price?: Dec | undefined
  readonly snapshot?: Snapshot | undefined
  readonly reading?:
    | {
        readonly id: number
        readonly last?: Dec | undefined
        readonly current: Dec
        readonly multiplier: Dec
      }
    | undefined
  readonly pool?: number | undefined
  /** Beside others of its item though the item does not allow it: a correction (SHR-5). */
  readonly runFree?: boolean | undefined
  readonly replaces?: number | undefined
  readonly remark?: string | undefined
}

/** What all bills of one statement share. */
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

/** How payers are called now: bills keep it (C3.1). */
export async function findPayerContacts(
  db: Db,
  owner: number,
  payers: Iterable<Payer | undefined>,
): Promise<Contacts> {
  const all = [...new Set([...payers].filter(p => p !== undefined))]
  const [people, firms] = await Promise.all([
    findResidentContacts(
      db,
      owner,
      all.filter(p => p > 0),
    ),
    findCompanyContacts(
      db,
      owner,
      all.filter(p => p < 0).map(p => -p),
    ),
  ])
  return new Map([...people.map(p => [p.id, p] as const), ...firms.map(f => [-f.id, f] as const)])
}

const cyclicFeeTypes: ReadonlySet<FeeItem['feeType']> = new Set(['cyclic', 'monthCard'])
const draftPayerSide = (b: BillDraft) => (b.payer === undefined ? undefined : parsePayer(b.payer))
type ColumnValue = string | number | boolean | undefined

/** A column of `bill`, its type, and what a bill says there: written as one array for each column. */
const usualColumns: readonly (readonly [
  name: string,
  type: string,
  of: (b: BillDraft, contacts: Contacts, lot: BillBatch) => ColumnValue,
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
  ['run_free', 'boolean', b => b.runFree || canOverlap(b.item)],
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
  ['bill_source', 'smallint', (b, _, lot) => codeOf(billSource, b.reading ? 'metered' : lot.source)],
]

/** What few bills have. */
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
const columnNames = (of: typeof usualColumns) => sql.raw(of.map(c => c[0]).join(', '))

const columnArrays = (
  of: typeof usualColumns,
  ids: readonly number[],
  value: (c: (typeof usualColumns)[number]) => readonly (NonNullable<ColumnValue> | null)[],
) =>
  sql`unnest(
    ${sqlArray('bigint', ids)}, ${sql.join(of.map(c => sqlArray(c[1], value(c))))}
  ) as r(id, ${columnNames(of)})`

/**
 * Writes bills, and the months of those that count already (待审核 ones get theirs when audited); it must not
 * run twice for one set: `bill_overlap`, `bill_relation_once` and `bill_reading_once` refuse. Answers their
 * ids by number.
 */
export async function issueBills(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'operatorId'>,
  lot: BillBatch,
  bills: readonly BillDraft[],
  contacts: Contacts,
): Promise<ReadonlyMap<string, number>> {
  if (!bills.length) return new Map()
  const { ownerId: owner, operatorId: by } = scope
  const prices = new Set(bills.flatMap(b => b.snapshot?.parts.map(p => p.version) ?? []))
  const [next] = await settleStatements([
    tx.rows<{ id: number }>(
      sql`select nextval('bill_id_seq') as id from generate_series(1, ${bills.length}::int)`,
    ),
    lockPrices(tx, owner, [...prices]),
  ])
  const ids = next.map(r => r.id)
  const some = bills.some(b => rareColumns.some(c => c[2](b, contacts, lot) !== undefined))
    ? allColumns
    : usualColumns
  const months =
    lot.state === 'normal'
      ? bills.flatMap((b, i) =>
          spreadOverMonths(
            b,
            { receivable: b.amount, discount: 0, paid: 0 },
            cyclicFeeTypes.has(b.item.feeType),
          ).map(m => ({
            ...m,
            bill: ids[i]!,
            item: b.item.id,
          })),
        )
      : []
  await settleStatements([
    tx.execute(sql`
      insert into bill (
        owner_id, id, project_code, batch_no, state, is_pre, create_by, update_by,
        ${columnNames(some)}
      )
      select ${owner}::bigint, id, ${lot.project}, ${lot.batchNo},
        ${codeOf(billState, lot.state)}::smallint, ${lot.isPre ?? false}::boolean, ${by}::bigint,
        ${by}::bigint, ${columnNames(some)}
      from ${columnArrays(some, ids, c => bills.map(b => c[2](b, contacts, lot) ?? null))}
    `),
    // Nothing is let off or paid yet (STAT-2).
    ...(months.length
      ? [
          tx.execute(sql`
            insert into bill_month (
              owner_id, project_code, bill_id, month, fee_item_id, days, receivable, discount, paid
            )
            select ${owner}::bigint, ${lot.project}, *, 0, 0
            from unnest(
              ${sqlArray(
                'bigint',
                months.map(m => m.bill),
              )},
              ${sqlArray(
                'text',
                months.map(m => m.month),
              )},
              ${sqlArray(
                'bigint',
                months.map(m => m.item),
              )},
              ${sqlArray(
                'int',
                months.map(m => m.days),
              )},
              ${sqlArray(
                'numeric',
                months.map(m => formatYuan(m.receivable)),
              )}
            )
          `),
        ]
      : []),
  ])
  return new Map(bills.map((b, i) => [b.billNo, ids[i]!]))
}

/**
 * Statements of one transaction that go one way together. Their own fault is told, not that of the others,
 * which only say that the transaction is lost.
 */
export async function settleStatements<T extends readonly unknown[]>(
  all: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const faults = (await Promise.allSettled(all as readonly Promise<unknown>[])).flatMap(s =>
    s.status === 'rejected' ? [s.reason as Error & { readonly code?: string }] : [],
  )
  const fault = faults.find(f => f.code !== '25P02') ?? faults[0]
  if (fault) throw fault
  return Promise.all(all as readonly Promise<unknown>[]) as unknown as Promise<T>
}
