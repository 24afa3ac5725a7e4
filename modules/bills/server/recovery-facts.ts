import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { overlaps } from '#kit/domain/period.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { readingState } from '#modules/meters/contract/choices.ts'
import type { Bill } from '../contract/bill.ts'
import type { ActionFacts } from '../domain/actions.ts'
import { effectiveStates } from './bill-states.ts'

interface RecoveryRow {
  id: Id
  place: string
  root: number
  free: boolean
  beginDate: Day
  endDate: Day
  overlapped: boolean
  sourceDeleted: boolean
  taken: boolean
  pool: boolean
  replaced?: string
}

/** There is another effective bill of the reading of bill `t`, or of its relation in the same pool. */
const anotherEffectiveBill = (owner: Id) => sql`exists (
  select 1
  from bill o
  where o.owner_id = ${owner}
    and o.ref_type = t.ref_type
    and o.ref_id = t.ref_id
    and o.relation_id is not distinct from t.relation_id
    and o.run_root <> t.run_root
    and o.state in ${effectiveStates}
    and ${notDeleted('o')}
)`

/**
 * The number of an effective bill that replaces bill `t`, also when it was replaced several times or split
 * since (BILL-9). Needs bill_source.
 */
export const replacementBillNo = (owner: Id, table: RawBuilder<unknown>): RawBuilder<string> => sql`(
  with recursive replacement(id) as (
    select ${table}.id
    union all
    select o.id
    from replacement s
    join bill o on o.owner_id = ${owner}
      and o.project_code = ${table}.project_code
      and o.source_type = ${table}.source_type
      and o.source_code = ${table}.source_code
      and o.fee_item_id = ${table}.fee_item_id
      and o.replaces_bill_id = s.id
  )
  select min(l.bill_no)
  from replacement s
  join bill l on l.owner_id = ${owner}
    and l.project_code = ${table}.project_code
    and l.source_type = ${table}.source_type
    and l.source_code = ${table}.source_code
    and l.fee_item_id = ${table}.fee_item_id
    and l.run_root = s.id
    and ${notDeleted('l')}
    and l.state in ${effectiveStates}
  where s.id <> ${table}.id
)`

/** Another effective bill covers days of bill `t`, or is the bill of its relation for the same period. */
const isOverlapped = (owner: Id): RawBuilder<boolean> => sql`((
  not t.run_free
  and exists (
    select 1
    from bill o
    where o.owner_id = ${owner}
      and o.run_place = t.run_place
      and ${notDeleted('o')}
      and o.state in ${effectiveStates}
      and not o.run_free
      and o.run_root <> t.run_root
      and daterange(o.begin_date, o.end_date, '[]') && daterange(t.begin_date, t.end_date, '[]')
  )
)
  or (
    t.relation_id is not null
    and t.parent_id is null
    and t.ref_id is null
    and exists (
      select 1
      from bill o
      where o.owner_id = ${owner}
        and o.relation_id = t.relation_id
        and o.begin_date = t.begin_date
        and o.state in ${effectiveStates}
        and ${notDeleted('o')}
        and o.parent_id is null
        and o.ref_id is null
    )
  ))`

/** The object of bill `t` has been deleted. */
const isSourceDeleted = (owner: Id): RawBuilder<boolean> => sql`case t.source_type
  when ${code(sourceType, 'room')} then not exists (
    select 1
    from room r
    where r.owner_id = ${owner} and r.code = t.source_code and ${notDeleted('r')}
  )
  when ${code(sourceType, 'publicArea')} then not exists (
    select 1
    from public_area r
    where r.owner_id = ${owner}
      and r.code = t.source_code
      and r.project_code = t.project_code
      and ${notDeleted('r')}
  )
  else false
  end`

/** The reading of bill `t` was corrected or deleted, or another bill has it. */
const isReadingTaken = (owner: Id): RawBuilder<boolean> => sql`(
  t.ref_type = 'reading'
  and (
    not exists (
      select 1
      from meter_reading m
      where m.owner_id = ${owner}
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
    or ${anotherEffectiveBill(owner)}
  )
)`

/** The pool of bill `t` was deleted or shared again. */
const isPoolTaken = (owner: Id): RawBuilder<boolean> => sql`(
  t.ref_type = 'pool'
  and (
    not exists (
      select 1
      from share_pool p
      where p.owner_id = ${owner} and p.id = t.ref_id and ${notDeleted('p')}
    )
    or ${anotherEffectiveBill(owner)}
  )
)`

/**
 * What the rules must know to recover bills (C3.2): whether another effective bill has the period, the object
 * is deleted, or another bill has the reading or the pool. Of bills that are recovered together and overlap,
 * the first one gets the period: ask for them in order.
 */
export async function findRecoveryFacts(
  db: Db,
  owner: Id,
  ids: readonly Id[],
): Promise<(b: Bill) => Omit<ActionFacts, 'now'>> {
  const found = await db.rows<RecoveryRow>(sql`
    select t.id, t.run_place::text as place, t.run_root as root, t.run_free as free, t.begin_date, t.end_date,
      ${isOverlapped(owner)} as overlapped, ${isSourceDeleted(owner)} as source_deleted,
      ${isReadingTaken(owner)} is true as taken, ${isPoolTaken(owner)} is true as pool,
      ${replacementBillNo(owner, sql`t`)} as replaced
    from bill t
    where t.owner_id = ${owner} and t.id = any(${[...ids]})
    order by t.id
  `)
  const known = new Map(found.map(p => [p.id, p]))
  const takenByPlace = new Map<string, RecoveryRow[]>()
  return bill => {
    const row = defined(known.get(bill.id))
    const takenHere = takenByPlace.get(row.place) ?? []
    const overlapped =
      row.overlapped ||
      (!row.free &&
        takenHere.some(
          o =>
            o.root !== row.root &&
            overlaps({ begin: o.beginDate, end: o.endDate }, { begin: row.beginDate, end: row.endDate }),
        ))
    if (
      !overlapped &&
      !row.sourceDeleted &&
      !row.taken &&
      !row.pool &&
      !row.replaced &&
      bill.state === 'abolished'
    ) {
      takenByPlace.set(row.place, [...takenHere, row])
    }
    return {
      overlapped,
      sourceDeleted: row.sourceDeleted,
      readingBilledElsewhere: row.taken,
      poolReshared: row.pool,
      ...(row.replaced ? { replacedBy: row.replaced } : {}),
    }
  }
}
