import type { Day } from '#kit/domain/day.ts'
import { overlaps } from '#kit/domain/period.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Bill } from '../contract/bill.ts'
import type { Facts } from '../domain/actions.ts'

interface Place { id: number; place: string; root: number; free: boolean; beginDate: Day; endDate: Day; overlapped: boolean; gone: boolean; taken: boolean }
/**
 * What recovery must know (C3.2): whether another live bill took the period, the object is gone, or another bill has the reading. Bills recovered
 * together must not overlap each other either: the first one has it.
 */
export async function returnFacts(db: Db, owner: number, ids: readonly number[]): Promise<(b: Bill) => Omit<Facts, 'now'>> {
  const found = await db.rows<Place>(sql`select t.id, t.run_place::text as place, t.run_root as root, t.run_free as free, t.begin_date, t.end_date,
      (not t.run_free and exists (select 1 from bill o where o.owner_id = t.owner_id and o.run_place = t.run_place and o.delete_tag = 0 and o.state in (10, 20, 50) and not o.run_free and o.run_root <> t.run_root and daterange(o.begin_date, o.end_date, '[]') && daterange(t.begin_date, t.end_date, '[]')))
      or (t.relation_id is not null and t.parent_id is null and t.ref_id is null and exists (select 1 from bill o where o.owner_id = t.owner_id and o.relation_id = t.relation_id and o.begin_date = t.begin_date and o.state in (10, 20, 50) and o.delete_tag = 0 and o.parent_id is null and o.ref_id is null)) as overlapped,
      case t.source_type
        when 10 then not exists (select 1 from room r where r.owner_id = t.owner_id and r.code = t.source_code and r.delete_tag = 0)
        when 40 then not exists (select 1 from public_area r where r.owner_id = t.owner_id and r.code = t.source_code and r.project_code = t.project_code and r.delete_tag = 0)
        else false end as gone,
      (t.ref_type = 'reading' and t.parent_id is null and (not exists (select 1 from meter_reading m where m.owner_id = t.owner_id and m.id = t.ref_id and m.state = 10 and m.delete_tag = 0) or exists (select 1 from bill o where o.owner_id = t.owner_id and o.ref_type = 'reading' and o.ref_id = t.ref_id and o.id <> t.id and o.state in (10, 20, 50) and o.delete_tag = 0 and o.parent_id is null))) is true as taken
    from bill t where t.owner_id = ${owner} and t.id = any(${ids as number[]}) order by t.id`)
  const known = new Map(found.map(p => [p.id, p])), taken = new Map<string, Place[]>()
  return b => {
    const p = known.get(b.id)!, here = taken.get(p.place) ?? []
    const overlapped = p.overlapped || (!p.free && here.some(o => o.root !== p.root && overlaps({ begin: o.beginDate, end: o.endDate }, { begin: p.beginDate, end: p.endDate })))
    if (!overlapped && !p.gone && !p.taken && b.state === 'abolished') taken.set(p.place, [...here, p])
    return { overlapped, sourceGone: p.gone, readingTaken: p.taken }
  }
}
