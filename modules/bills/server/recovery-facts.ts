import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { overlaps } from '#kit/domain/period.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { readingState } from '#modules/meters/contract/choices.ts'
import type { Bill } from '../contract/bill.ts'
import type { ActionFacts } from '../domain/actions.ts'
import { effectiveStates } from './bill-states.ts'

/** A bill that is to be recovered. `chargeKey`: bills of one key charge the same object and item (BILL-6). */
interface RecoveryRow {
  id: Id
  chargeKey: string
  rootId: number
  allowsOverlap: boolean
  beginDate: Day
  endDate: Day
  isOverlapped: boolean
  isSourceDeleted: boolean
  isReadingBilledElsewhere: boolean
  isPoolReshared: boolean
  replacedBy?: string
}

/** There is another effective bill of the reading of bill `t`, or of its relation in the same pool. */
const anotherEffectiveBill = (ownerId: Id) => sql`exists (
  select 1
  from bill o
  where o.owner_id = ${ownerId}
    and o.ref_type = t.ref_type
    and o.ref_id = t.ref_id
    and o.relation_id is not distinct from t.relation_id
    and o.run_root <> t.run_root
    and o.state in ${effectiveStates}
    and ${notDeleted('o')}
)`

/**
 * The number of an effective bill that replaces bill `t`, or the bill that it was split off, also when that
 * was replaced several times or split since (BILL-9). Needs bill_source.
 */
export const replacementBillNo = (ownerId: Id, table: RawBuilder<unknown>): RawBuilder<string> => sql`(
  with recursive replacement(id) as (
    select unnest(array[${table}.id, ${table}.run_split_root])
    union all
    select o.id
    from replacement s
    join bill o on o.owner_id = ${ownerId}
      and o.project_code = ${table}.project_code
      and o.source_type = ${table}.source_type
      and o.source_code = ${table}.source_code
      and o.fee_item_id = ${table}.fee_item_id
      and o.replaces_bill_id = s.id
  )
  select min(l.bill_no)
  from replacement s
  join bill l on l.owner_id = ${ownerId}
    and l.project_code = ${table}.project_code
    and l.source_type = ${table}.source_type
    and l.source_code = ${table}.source_code
    and l.fee_item_id = ${table}.fee_item_id
    and l.run_root = s.id
    and ${notDeleted('l')}
    and l.state in ${effectiveStates}
  where s.id <> ${table}.id and s.id is distinct from ${table}.run_split_root
)`

const overlappedBill = sqlFile(import.meta.dirname, 'overlapped-bill.sql', [
  'effectiveStates',
  'liveOther',
  'ownerId',
])

/** Another effective bill covers days of bill `t`, or is the bill of its relation for the same period. */
const isOverlapped = (ownerId: Id): RawBuilder<boolean> =>
  overlappedBill<boolean>({ ownerId, liveOther: notDeleted('o'), effectiveStates })

/** The object of bill `t` has been deleted. */
const isSourceDeleted = (ownerId: Id): RawBuilder<boolean> => sql`case t.source_type
  when ${code(sourceType, 'room')} then not exists (
    select 1
    from room r
    where r.owner_id = ${ownerId} and r.code = t.source_code and ${notDeleted('r')}
  )
  when ${code(sourceType, 'publicArea')} then not exists (
    select 1
    from public_area r
    where r.owner_id = ${ownerId}
      and r.code = t.source_code
      and r.project_code = t.project_code
      and ${notDeleted('r')}
  )
  else false
  end`

/** The reading of bill `t` was corrected or deleted, or another bill has it. */
const isReadingTaken = (ownerId: Id): RawBuilder<boolean> => sql`(
  t.ref_type = 'reading'
  and (
    not exists (
      select 1
      from meter_reading m
      where m.owner_id = ${ownerId}
        and m.id = t.ref_id
        and ${notDeleted('m')}
        and (
          m.bill_id = t.run_root
          or m.state = ${code(readingState, 'open')}
          and m.cur_num = t.cur_num
          and m.last_num is not distinct from t.last_num
          and m.multiple = t.multiple
          and (t.parent_id is not null or m.read_date = t.end_date)
        )
    )
    or ${anotherEffectiveBill(ownerId)}
  )
)`

/** The pool of bill `t` was deleted or shared again. */
const isPoolTaken = (ownerId: Id): RawBuilder<boolean> => sql`(
  t.ref_type = 'pool'
  and (
    not exists (
      select 1
      from share_pool p
      where p.owner_id = ${ownerId} and p.id = t.ref_id and ${notDeleted('p')}
    )
    or ${anotherEffectiveBill(ownerId)}
  )
)`

const periodsOverlap = (a: RecoveryRow, b: RecoveryRow): boolean =>
  overlaps({ begin: a.beginDate, end: a.endDate }, { begin: b.beginDate, end: b.endDate })

/**
 * Bills that are recovered together, judged one after the other: of those that overlap the first one gets the
 * period. Remembers the bills that `judge` let through.
 */
export class RecoveryBatch {
  readonly #rows: ReadonlyMap<Id, RecoveryRow>
  readonly #recoveredByChargeKey = new Map<string, RecoveryRow[]>()

  constructor(rows: readonly RecoveryRow[]) {
    this.#rows = new Map(rows.map(row => [row.id, row]))
  }

  /** What the rules must know to recover the next bill (C3.2). */
  judge(bill: Bill): Omit<ActionFacts, 'now'> {
    const row = defined(this.#rows.get(bill.id))
    const overlapped = row.isOverlapped || this.#isPeriodRecovered(row)
    const isRefused =
      overlapped ||
      row.isSourceDeleted ||
      row.isReadingBilledElsewhere ||
      row.isPoolReshared ||
      row.replacedBy !== undefined
    if (!isRefused && bill.state === 'abolished') {
      this.#remember(row)
    }
    return {
      overlapped,
      sourceDeleted: row.isSourceDeleted,
      readingBilledElsewhere: row.isReadingBilledElsewhere,
      poolReshared: row.isPoolReshared,
      ...(row.replacedBy ? { replacedBy: row.replacedBy } : {}),
    }
  }

  #isPeriodRecovered(row: RecoveryRow): boolean {
    if (row.allowsOverlap) return false
    const recovered = this.#recoveredByChargeKey.get(row.chargeKey) ?? []
    return recovered.some(other => other.rootId !== row.rootId && periodsOverlap(other, row))
  }

  #remember(row: RecoveryRow): void {
    const recovered = this.#recoveredByChargeKey.get(row.chargeKey) ?? []
    this.#recoveredByChargeKey.set(row.chargeKey, [...recovered, row])
  }
}

/**
 * Whether another effective bill has the period of these bills, the object is deleted, or another bill has
 * the reading or the pool (C3.2).
 */
export async function findRecoveryBatch(db: Db, ownerId: Id, ids: readonly Id[]): Promise<RecoveryBatch> {
  const rows = await db.rows<RecoveryRow>(sql`
    select t.id, t.run_place::text as charge_key, t.run_root as root_id, t.run_free as allows_overlap,
      t.begin_date, t.end_date,
      ${isOverlapped(ownerId)} as is_overlapped, ${isSourceDeleted(ownerId)} as is_source_deleted,
      ${isReadingTaken(ownerId)} is true as is_reading_billed_elsewhere,
      ${isPoolTaken(ownerId)} is true as is_pool_reshared,
      ${replacementBillNo(ownerId, sql`t`)} as replaced_by
    from bill t
    where t.owner_id = ${ownerId} and t.id = any(${[...ids]})
    order by t.id
  `)
  return new RecoveryBatch(rows)
}
