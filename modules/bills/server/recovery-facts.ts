import type { Day } from '#kit/domain/day.ts'
import { overlaps } from '#kit/domain/period.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { live, code } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { readingState } from '#modules/meters/contract/choices.ts'
import type { Bill } from '../contract/bill.ts'
import type { ActionFacts } from '../domain/actions.ts'
import { effectiveStates } from './bill-states.ts'

interface RecoveryRow {
  id: number
  place: string
  root: number
  free: boolean
  beginDate: Day
  endDate: Day
  overlapped: boolean
  gone: boolean
  taken: boolean
  pool: boolean
  replaced?: string
}

/** Another live bill of the same reading, or of the same relation in the same pool. */
const anotherLiveBill = (owner: number) => sql`exists (
  select 1
  from bill o
  where o.owner_id = ${owner}
    and o.ref_type = t.ref_type
    and o.ref_id = t.ref_id
    and o.relation_id is not distinct from t.relation_id
    and o.run_root <> t.run_root
    and o.state in ${effectiveStates}
    and ${live('o')}
)`

/**
 * The number of a live bill that stands in the stead of bill `t`, be it made anew several times, or split
 * since (BILL-9). Needs bill_source.
 */
export const replacementBillNo = (owner: number, t: RawBuilder<unknown>): RawBuilder<string> => sql`(
  with recursive stead(id) as (
    select ${t}.id
    union all
    select o.id
    from stead s
    join bill o on o.owner_id = ${owner}
      and o.project_code = ${t}.project_code
      and o.source_type = ${t}.source_type
      and o.source_code = ${t}.source_code
      and o.fee_item_id = ${t}.fee_item_id
      and o.replaces_bill_id = s.id
  )
  select min(l.bill_no)
  from stead s
  join bill l on l.owner_id = ${owner}
    and l.project_code = ${t}.project_code
    and l.source_type = ${t}.source_type
    and l.source_code = ${t}.source_code
    and l.fee_item_id = ${t}.fee_item_id
    and l.run_root = s.id
    and ${live('l')}
    and l.state in ${effectiveStates}
  where s.id <> ${t}.id
)`

/**
 * What recovery must know (C3.2): whether another live bill took the period, the object is gone, or another
 * bill has the reading. Bills recovered together must not overlap each other either: the first one has it.
 */
export async function findRecoveryFacts(
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<(b: Bill) => Omit<ActionFacts, 'now'>> {
  const found = await db.rows<RecoveryRow>(sql`
      select t.id,
        t.run_place::text as place,
        t.run_root as root,
        t.run_free as free,
        t.begin_date,
        t.end_date,
        (
          not t.run_free
          and exists (
            select 1
            from bill o
            where o.owner_id = ${owner}
              and o.run_place = t.run_place
              and ${live('o')}
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
                and ${live('o')}
                and o.parent_id is null
                and o.ref_id is null
            )
          ) as overlapped,
        case t.source_type
          when ${code(sourceType, 'room')} then not exists (
            select 1
            from room r
            where r.owner_id = ${owner} and r.code = t.source_code and ${live('r')}
          )
          when ${code(sourceType, 'publicArea')} then not exists (
            select 1
            from public_area r
            where r.owner_id = ${owner}
              and r.code = t.source_code
              and r.project_code = t.project_code
              and ${live('r')}
          )
          else false
          end as gone,
        (
          t.ref_type = 'reading'
          and (
            not exists (
              select 1
              from meter_reading m
              where m.owner_id = ${owner}
                and m.id = t.ref_id
                and ${live('m')}
                and (
                  m.bill_id = t.run_root
                  or m.state = ${code(readingState, 'open')}
                  and m.cur_num = t.cur_num
                  and m.last_num is not distinct from t.last_num
                  and m.multiple = t.multiple
                  and (t.parent_id is not null or m.read_date = t.end_date)
                )
            )
            or ${anotherLiveBill(owner)}
          )
        ) is true as taken,
        (
          t.ref_type = 'pool'
          and (
            not exists (
              select 1
              from share_pool p
              where p.owner_id = ${owner} and p.id = t.ref_id and ${live('p')}
            )
            or ${anotherLiveBill(owner)}
          )
        ) is true as pool,
        ${replacementBillNo(owner, sql`t`)} as replaced
      from bill t
      where t.owner_id = ${owner} and t.id = any(${ids as number[]})
      order by t.id
    `)
  const known = new Map(found.map(p => [p.id, p]))
  const taken = new Map<string, RecoveryRow[]>()
  return b => {
    const p = known.get(b.id)!
    const takenHere = taken.get(p.place) ?? []
    const overlapped =
      p.overlapped ||
      (!p.free &&
        takenHere.some(
          o =>
            o.root !== p.root &&
            overlaps({ begin: o.beginDate, end: o.endDate }, { begin: p.beginDate, end: p.endDate }),
        ))
    if (!overlapped && !p.gone && !p.taken && !p.pool && !p.replaced && b.state === 'abolished') {
      taken.set(p.place, [...takenHere, p])
    }
    return {
      overlapped,
      sourceGone: p.gone,
      readingTaken: p.taken,
      poolTaken: p.pool,
      ...(p.replaced ? { replacedBy: p.replaced } : {}),
    }
  }
}
