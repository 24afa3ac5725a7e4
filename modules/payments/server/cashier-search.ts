import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { code, live } from '#kit/server/sql.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { provideReceiptSources } from '#modules/bills/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { rankSearch, type SearchField } from '#kit/domain/search-rank.ts'
import { lastPartOf, roomIdsByKeyword } from '#modules/rooms/server/public.ts'

type Fragment = RawBuilder<unknown>

interface SourceRow {
  /** Code of `sourceType`. */
  readonly type: number
  readonly code: string
  readonly name: string
  readonly building?: string
  readonly note?: string
  readonly sortKey?: string
  /** By what it was found, where not by its own name. */
  readonly reason?: SearchReason
  readonly foundText?: string
  readonly foundMobile?: string
  readonly count: number
  /** Yuan. */
  readonly unpaid: string
}

export interface FoundSource extends SourceRow {
  /** By which text it was found: its label, and the text itself. */
  readonly matched: SearchField
}

interface SourceSearch {
  readonly ownerId: Id
  readonly projectCode: string
  readonly keyword: string
  /** Whether the operator may see a source of this building. */
  readonly isVisible: (building: string | undefined) => boolean
}

/** What led to a source. Of several the first letter wins: its own name tells more than who lives there. */
type SearchReason = 'a-name' | 'b-person' | 'c-company' | 'd-place' | 'e-bill' | 'f-receipt'

const reasonLabels: Readonly<Record<SearchReason, string>> = {
  'a-name': '房号',
  'b-person': '姓名',
  'c-company': '公司',
  'd-place': '车位',
  'e-bill': '账单号',
  'f-receipt': '收据号',
}

const reason = (name: SearchReason): Fragment => sql.lit(name)
const noText = sql`null::text`

const roomCode = code(sourceType, 'room')
const roomType = Number(codeOf(sourceType, 'room'))

const containsPattern = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, c => `\\${c}`)}%`

/** Numbers of bills and receipts are written in capitals. */
const asNumber = (keyword: string): string => keyword.trim().toUpperCase()

/** Rooms by the people and companies in them. */
const roomIdsByPayer = ({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] => [
  sql`
    select l.room_id as id, ${reason('b-person')} as reason, p.name as text, p.mobile as mobile
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
    select l.room_id as id, ${reason('c-company')} as reason, c.name as text, ${noText} as mobile
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
    select r.id, ${reason('a-name')} as reason, ${noText} as text, ${noText} as mobile
    from room r
    where r.owner_id = ${ownerId} and r.id in (${roomIdsByKeyword(ownerId, keyword)})
  `,
  sql`
    select r.id, ${reason('d-place')} as reason, k.place_no as text, ${noText} as mobile
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
    select r.id, ${reason('e-bill')} as reason, b.bill_no as text, ${noText} as mobile
    from bill b
    join room r on r.owner_id = ${ownerId}
      and r.project_code = b.project_code
      and r.code = b.source_code
      and ${live('r')}
    where b.owner_id = ${ownerId} and b.bill_no = ${asNumber(keyword)} and b.source_type = ${roomCode}
  `,
  sql`
    select r.id, ${reason('f-receipt')} as reason, coalesce(p.receipt_no, p.record_no) as text,
      ${noText} as mobile
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
      '车位' as note, k.sort_key, ${reason('a-name')} as reason, ${noText} as found_text
    from park_place k
    where k.owner_id = ${ownerId}
      and k.project_code = ${projectCode}
      and ${live('k')}
      and k.room_code is null
      and k.place_no ilike ${containsPattern(keyword)} escape '\\'
    limit 20
  )`,
  sql`(
    select ${code(sourceType, 'company')}::int, c.company_no, c.name, null::text, '公司', c.name,
      ${reason('c-company')}, c.name
    from company c
    where c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and ${live('c')}
      and c.company_no is not null
      and ${matchesSearchText(keyword, 'c')}
    limit 20
  )`,
  sql`(
    select ${code(sourceType, 'publicArea')}::int, a.code, a.name, a.build_code, '公共区域', a.code,
      ${reason('a-name')}, ${noText}
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
    select b.source_type::int, b.source_code, b.source_name, b.build_code, null::text, b.source_name,
      ${reason('e-bill')}, b.bill_no
    from bill b
    where b.owner_id = ${ownerId}
      and b.project_code = ${projectCode}
      and b.bill_no = ${asNumber(keyword)}
      and b.source_type <> ${roomCode}
  )`,
  sql`(
    select d.source_type::int, d.source_code, d.source_name, p.build_code, null::text, d.source_name,
      ${reason('f-receipt')}, coalesce(p.receipt_no, p.record_no)
    from pay_record p
    join pay_detail d on d.owner_id = ${ownerId} and d.record_id = p.id
    where p.owner_id = ${ownerId}
      and p.project_code = ${projectCode}
      and (p.receipt_no = ${asNumber(keyword)} or p.record_no = ${asNumber(keyword)})
      and d.source_type <> ${roomCode}
    limit 20
  )`,
]

/** Enough for the ranking: the numbers that are meant exactly come first, of every building. */
const maxCandidates = 200
const maxFound = 20

/** Rooms and other sources that a keyword may mean, with what each owes. */
function findCandidates(db: Db, search: SourceSearch): Promise<SourceRow[]> {
  const { ownerId, projectCode, keyword } = search
  const hasDigit = /\d/.test(keyword)
  const hits = [...roomIdsByPayer(search), ...(hasDigit ? roomIdsByNumber(search) : [])]
  const otherSources = [...sourcesByName(search), ...(hasDigit ? sourcesByNumber(search) : [])]
  return db.rows<SourceRow>(sql`
    with hit as materialized (${sql.join(hits, sql` union all `)}),
      best as (select distinct on (id) id, reason, text, mobile from hit order by id, reason),
      found as materialized (
        select ${roomCode}::int as type, r.id, r.code, r.path as name, r.build_code as building,
          coalesce(r.payer_name, r.main_owner_name) as note, r.sort_key
        from room r
        where r.owner_id = ${ownerId}
          and r.project_code = ${projectCode}
          and ${live('r')}
          and r.id = any(array(select id from hit))
        order by (lower(r.room_no) = ${lastPartOf(keyword)}) desc, r.sort_key
        limit ${sql.lit(maxCandidates)}
      ),
      others as (${sql.join(otherSources, sql` union all `)}),
      once as (select distinct on (type, code) * from others order by type, code, note nulls last),
      all_found as (
        select f.type, f.code, f.name, f.building, f.note, f.sort_key, h.reason, h.text as found_text,
          h.mobile as found_mobile
        from found f
        join best h on h.id = f.id
        union all
        select type, code, name, building, note, sort_key, reason, found_text, null
        from once
      )
    select f.*, coalesce(b.count, 0)::int as count, coalesce(b.unpaid, 0)::text as unpaid
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
  `)
}

/** The texts by which a source was found, its own name first. */
function searchFieldsOf(row: SourceRow): readonly [SearchField, ...SearchField[]] {
  const name = {
    label: row.type === roomType ? '房号' : (row.note ?? '名称'),
    text: row.name,
    isPath: row.type === roomType,
  }
  if (!row.reason || row.reason === 'a-name' || row.foundText === undefined) return [name]
  return [
    name,
    { label: reasonLabels[row.reason], text: row.foundText },
    ...(row.foundMobile ? [{ label: '手机号', text: row.foundMobile }] : []),
  ]
}

/**
 * What may be meant by a keyword (BILL-11): rooms by name, people, places and numbers, then places, areas and
 * companies that are charged themselves. Each part is served by an index of its own. At most twenty, in the
 * order of `rankSearch`.
 */
export async function findSources(db: Db, search: SourceSearch): Promise<FoundSource[]> {
  const rows = (await findCandidates(db, search)).filter(row => search.isVisible(row.building))
  const candidates = rows.map(row => ({
    row,
    fields: searchFieldsOf(row),
    group: row.building,
    isPreferred: row.count > 0,
    // Rooms before what belongs to nobody.
    sortKey: `${row.type} ${row.sortKey ?? row.name}`,
  }))
  return rankSearch(search.keyword, candidates, maxFound).map(({ candidate: { row, fields }, match }) => ({
    ...row,
    matched: match?.field ?? fields[1] ?? fields[0],
  }))
}
