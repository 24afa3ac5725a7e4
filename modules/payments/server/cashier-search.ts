import type { Id } from '#kit/domain/id.ts'
import { code, live } from '#kit/server/sql.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { provideReceiptSources } from '#modules/bills/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'

type Fragment = RawBuilder<unknown>

export interface FoundSource {
  /** Code of `sourceType`. */
  readonly type: number
  readonly code: string
  readonly name: string
  readonly building?: string
  readonly note?: string
  readonly count: number
  /** Yuan. */
  readonly unpaid: string
}

interface SourceSearch {
  readonly ownerId: Id
  readonly projectCode: string
  readonly keyword: string
}

const roomCode = code(sourceType, 'room')

const containsPattern = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, c => `\\${c}`)}%`

/** Numbers of bills and receipts are written in capitals. */
const asNumber = (keyword: string): string => keyword.trim().toUpperCase()

/** Rooms by the people and companies in them. */
const roomIdsByPayer = ({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] => [
  sql`
    select l.room_id
    from user_room l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and ${live('l')}
      and l.status = ${code(residencyStatus, 'living')}
      and ${live('p')}
      and ${matchesSearchText(keyword, 'p')}
  `,
  sql`
    select l.room_id
    from company_room l
    join company c on c.owner_id = ${ownerId} and c.id = l.company_id
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and ${live('l')}
      and ${live('c')}
      and ${matchesSearchText(keyword, 'c')}
  `,
]

provideReceiptSources(
  (ownerId, receiptNo, projectCode) => sql`
    select distinct p.project_code, d.source_type, d.source_code
    from pay_record p
    join pay_detail d on d.owner_id = ${ownerId} and d.record_id = p.id
    where p.owner_id = ${ownerId}
      ${projectCode ? sql`and p.project_code = ${projectCode}` : sql``}
      and (p.receipt_no = ${receiptNo} or p.record_no = ${receiptNo})
  `,
)

/** Rooms by their own name, their parking places, bill numbers and receipt numbers. */
const roomIdsByNumber = ({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] => [
  sql`
    select r.id
    from room r
    where r.owner_id = ${ownerId} and r.id in (${roomIdsByKeyword(ownerId, keyword)})
  `,
  sql`
    select r.id
    from park_place k
    join room r on r.owner_id = ${ownerId}
      and r.project_code = k.project_code
      and r.code = k.room_code
      and ${live('r')}
    where k.owner_id = ${ownerId}
      and k.project_code = ${projectCode}
      and ${live('k')}
      and k.place_no ilike ${containsPattern(keyword)} escape '\\'
  `,
  sql`
    select r.id
    from bill b
    join room r on r.owner_id = ${ownerId}
      and r.project_code = b.project_code
      and r.code = b.source_code
      and ${live('r')}
    where b.owner_id = ${ownerId} and b.bill_no = ${asNumber(keyword)} and b.source_type = ${roomCode}
  `,
  sql`
    select r.id
    from pay_record p
    join pay_detail d on d.owner_id = ${ownerId} and d.record_id = p.id
    join room r on r.owner_id = ${ownerId}
      and r.project_code = p.project_code
      and r.code = d.source_code
      and ${live('r')}
    where p.owner_id = ${ownerId}
      and p.project_code = ${projectCode}
      and (p.receipt_no = ${asNumber(keyword)} or p.record_no = ${asNumber(keyword)})
      and d.source_type = ${roomCode}
  `,
]

/** Places, companies and areas that are charged themselves, by name. */
const sourcesByName = ({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] => [
  sql`(
    select ${code(sourceType, 'parkPlace')}::int as type, k.code, k.place_no as name, null::text as building,
      '车位' as note, k.sort_key as at
    from park_place k
    where k.owner_id = ${ownerId}
      and k.project_code = ${projectCode}
      and ${live('k')}
      and k.room_code is null
      and k.place_no ilike ${containsPattern(keyword)} escape '\\'
    limit 20
  )`,
  sql`(
    select ${code(sourceType, 'company')}::int, c.company_no, c.name, null::text, '公司', c.name
    from company c
    where c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and ${live('c')}
      and c.company_no is not null
      and ${matchesSearchText(keyword, 'c')}
    limit 20
  )`,
  sql`(
    select ${code(sourceType, 'publicArea')}::int, a.code, a.name, a.build_code, '公共区域', a.code
    from public_area a
    where a.owner_id = ${ownerId}
      and a.project_code = ${projectCode}
      and ${live('a')}
      and a.name ilike ${containsPattern(keyword)} escape '\\'
    limit 20
  )`,
]

/** What is no room, by bill number and receipt number. */
const sourcesByNumber = ({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] => [
  sql`(
    select b.source_type::int, b.source_code, b.source_name, b.build_code, null::text, b.source_name
    from bill b
    where b.owner_id = ${ownerId}
      and b.project_code = ${projectCode}
      and b.bill_no = ${asNumber(keyword)}
      and b.source_type <> ${roomCode}
  )`,
  sql`(
    select d.source_type::int, d.source_code, d.source_name, p.build_code, null::text, d.source_name
    from pay_record p
    join pay_detail d on d.owner_id = ${ownerId} and d.record_id = p.id
    where p.owner_id = ${ownerId}
      and p.project_code = ${projectCode}
      and (p.receipt_no = ${asNumber(keyword)} or p.record_no = ${asNumber(keyword)})
      and d.source_type <> ${roomCode}
    limit 20
  )`,
]

/**
 * What may be meant by a keyword (BILL-11): rooms by name, people, places and numbers, then places, areas and
 * companies that are charged themselves. Each part is served by an index of its own. At most twenty, those
 * who owe first.
 */
export function findSources(db: Db, search: SourceSearch): Promise<FoundSource[]> {
  const { ownerId, projectCode } = search
  const hasDigit = /\d/.test(search.keyword)
  const roomIds = [...roomIdsByPayer(search), ...(hasDigit ? roomIdsByNumber(search) : [])]
  const otherSources = [...sourcesByName(search), ...(hasDigit ? sourcesByNumber(search) : [])]
  return db.rows<FoundSource>(sql`
    with found as materialized (
      select ${roomCode}::int as type, r.code, r.path as name, r.build_code as building,
        coalesce(r.payer_name, r.main_owner_name) as note, r.sort_key as at
      from room r
      where r.owner_id = ${ownerId}
        and r.project_code = ${projectCode}
        and ${live('r')}
        and r.id = any(array(${sql.join(roomIds, sql` union `)}))
      limit 200
    ),
      others as (${sql.join(otherSources, sql` union all `)}),
      once as (select distinct on (type, code) * from others order by type, code, note nulls last),
      all_found as (select * from found union all select * from once)
    select f.type, f.code, f.name, f.building, f.note, coalesce(b.count, 0)::int as count,
      coalesce(b.unpaid, 0)::text as unpaid
    from all_found f
    left join lateral (
      select count(*) as count, sum(b.unpaid) as unpaid
      from bill b
      where b.owner_id = ${ownerId}
        and b.project_code = ${projectCode}
        and b.source_type = f.type
        and b.source_code = f.code
        and ${live('b')}
        and b.state = ${code(billState, 'normal')}
        and b.pay_state = ${code(payState, 'unpaid')}
    ) b on true
    order by (b.count > 0) desc, f.type, f.at collate "C"
    limit 20
  `)
}
