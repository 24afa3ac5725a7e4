import { contains } from '#kit/server/table.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { searchLevelSql } from '#kit/server/search-rank.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { provideReceiptSources } from '#modules/bills/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { carState } from '#modules/parking/contract/car-labels.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { roomKeywordCondition } from '#modules/rooms/server/public.ts'

type Fragment = RawBuilder<unknown>

export interface SourceSearch {
  readonly ownerId: Id
  readonly projectCode: string
  readonly keyword: string
  /** The buildings that the operator may see; none: all of the project. */
  readonly buildings: ReadonlySet<string> | undefined
}

/** What led to a source. Of equal ones the first letter wins: its name tells more than who lives there. */
export type SearchReason = 'a-name' | 'b-person' | 'c-company' | 'd-place' | 'e-bill' | 'f-receipt'

const reason = (name: SearchReason): Fragment => sql.lit(name)
const noText = sql`null::text`

export const roomCode = code(sourceType, 'room')

/** Numbers of bills and receipts are written in capitals. */
const asNumber = (keyword: string): string => keyword.trim().toUpperCase()

/** `in` the buildings that the operator may see; what is in none is for everybody of the project. */
export const visibleIn = (building: Fragment, { buildings }: SourceSearch): Fragment =>
  buildings ? sql`and (${building} is null or ${building} = any(${[...buildings]}))` : sql``

/** Rooms by the people and companies in them. */
export const roomIdsByPayer = ({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] => [
  sql`
    select l.room_id as id, ${reason('b-person')} as reason, p.name as text, p.mobile as mobile,
      ${searchLevelSql(keyword, [{ column: sql`p.name` }, { column: sql`p.mobile`, isSecondary: true }])} as level
    from user_room l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and ${notDeleted('l')}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('p')}
      and ${matchesSearchText(keyword, 'p')}
  `,
  sql`
    select l.room_id as id, ${reason('c-company')} as reason, c.name as text, ${noText} as mobile,
      ${searchLevelSql(keyword, [{ column: sql`c.name` }])} as level
    from company_room l
    join company c on c.owner_id = ${ownerId} and c.id = l.company_id
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and ${notDeleted('l')}
      and ${notDeleted('c')}
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

const levelByNumber = (keyword: string, column: Fragment): Fragment =>
  searchLevelSql(keyword, [{ column, isSecondary: true }])

const levelByPlace = (keyword: string): Fragment => levelByNumber(keyword, sql`k.place_no`)

/** The number of a record `p` that was typed: its receipt, or its own. */
const receiptText = (keyword: string): Fragment =>
  sql`case when p.record_no = ${asNumber(keyword)} then p.record_no else p.receipt_no end`

/** Rooms of the project `t` that the keyword names, by their path, their building or the sign of a shop. */
const namedRooms = ({ ownerId, projectCode, keyword }: SourceSearch): Fragment =>
  sql`from room t
    where t.owner_id = ${ownerId}
      and t.project_code = ${projectCode}
      and ${notDeleted('t')}
      and ${roomKeywordCondition(ownerId, keyword)}`

/** Rooms by their own name; the text is the sign of a shop. */
export const roomIdsByName = (search: SourceSearch): Fragment =>
  sql`
    select t.id, ${reason('a-name')} as reason, t.brand as text, ${noText} as mobile,
      ${searchLevelSql(search.keyword, [{ column: sql`t.path`, isPath: true }, { column: sql`t.brand` }])} as level
    ${namedRooms(search)}
  `

/** Rooms by an address and the name of somebody there. */
export const roomIdsByAddressAndName = (search: SourceSearch, name: string): Fragment =>
  sql`
    select t.id, ${reason('b-person')} as reason, p.name as text, ${noText} as mobile,
      ${searchLevelSql(search.keyword, [{ column: sql`t.path`, isPath: true }])} as level
    from (select t.id, t.path ${namedRooms(search)}) t
    join user_room l on l.owner_id = ${search.ownerId}
      and l.room_id = t.id
      and ${notDeleted('l')}
      and l.status = ${code(residencyStatus, 'living')}
    join resident p on p.owner_id = ${search.ownerId} and p.id = l.user_id and ${notDeleted('p')}
    where ${matchesSearchText(name, 'p')}
  `

/** Rooms by their parking places, bill numbers and receipt numbers. */
export const roomIdsByNumber = ({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] => [
  sql`
    select r.id, ${reason('d-place')} as reason, k.place_no as text, ${noText} as mobile,
      ${levelByPlace(keyword)} as level
    from park_place k
    join room r on r.owner_id = ${ownerId}
      and r.project_code = k.project_code
      and r.code = k.room_code
      and ${notDeleted('r')}
    where k.owner_id = ${ownerId}
      and k.project_code = ${projectCode}
      and ${notDeleted('k')}
      and ${contains(sql`k.place_no`, keyword)}
  `,
  sql`
    select r.id, ${reason('e-bill')} as reason, b.bill_no as text, ${noText} as mobile,
      ${levelByNumber(keyword, sql`b.bill_no`)} as level
    from bill b
    join room r on r.owner_id = ${ownerId}
      and r.project_code = b.project_code
      and r.code = b.source_code
      and ${notDeleted('r')}
    where b.owner_id = ${ownerId} and b.bill_no = ${asNumber(keyword)} and b.source_type = ${roomCode}
  `,
  sql`
    select r.id, ${reason('f-receipt')} as reason, ${receiptText(keyword)} as text, ${noText} as mobile,
      ${levelByNumber(keyword, receiptText(keyword))} as level
    from pay_record p
    join pay_detail d on d.owner_id = ${ownerId} and d.record_id = p.id
    join room r on r.owner_id = ${ownerId}
      and r.project_code = p.project_code
      and r.code = d.source_code
      and ${notDeleted('r')}
    where p.owner_id = ${ownerId}
      and p.project_code = ${projectCode}
      and (p.receipt_no = ${asNumber(keyword)} or p.record_no = ${asNumber(keyword)})
      and d.source_type = ${roomCode}
  `,
]

/** Enough of each kind: the ranking keeps the best twenty of all. */
const maxSources = 50
const bestSources = sql`order by level, sort_key limit ${sql.lit(maxSources)}`

/** Cars in use by a part of their plate, however it is written. */
function carsByPlate({ ownerId, projectCode, keyword }: SourceSearch): readonly Fragment[] {
  const plate = normalizePlate(keyword)
  if (!plate) return []
  return [
    sql`(
      select ${code(sourceType, 'car')}::int, v.id::text, v.plate_no, null::text, '车辆', v.plate_no as sort_key,
        ${reason('a-name')}, ${noText}, ${levelByNumber(plate, sql`v.plate_no`)} as level
      from car v
      where v.owner_id = ${ownerId}
        and v.project_code = ${projectCode}
        and ${notDeleted('v')}
        and v.car_state <> ${code(carState, 'cancelled')}
        and ${matchesSearchText(plate, 'v')}
        and ${contains(sql`v.plate_no`, plate)}
      ${bestSources}
    )`,
  ]
}

/** Places, cars, companies and areas that are charged themselves, by name. */
export const sourcesByName = (search: SourceSearch): readonly Fragment[] => {
  const { ownerId, projectCode, keyword } = search
  return [
    sql`(
      select ${code(sourceType, 'parkPlace')}::int as type, k.code, k.place_no as name,
        null::text as building, '车位' as note, k.sort_key, ${reason('a-name')} as reason,
        ${noText} as found_text, ${levelByPlace(keyword)} as level
      from park_place k
      where k.owner_id = ${ownerId}
        and k.project_code = ${projectCode}
        and ${notDeleted('k')}
        and k.room_code is null
        and ${contains(sql`k.place_no`, keyword)}
      ${bestSources}
    )`,
    ...carsByPlate(search),
    sql`(
      select ${code(sourceType, 'company')}::int, c.company_no, c.name, null::text, '企业', c.name as sort_key,
        ${reason('c-company')}, c.name, ${searchLevelSql(keyword, [{ column: sql`c.name` }])} as level
      from company c
      where c.owner_id = ${ownerId}
        and c.project_code = ${projectCode}
        and ${notDeleted('c')}
        and c.company_no is not null
        and ${matchesSearchText(keyword, 'c')}
      ${bestSources}
    )`,
    sql`(
      select ${code(sourceType, 'publicArea')}::int, a.code, a.name, a.build_code, '公共区域',
        a.code as sort_key, ${reason('a-name')}, ${noText},
        ${searchLevelSql(keyword, [{ column: sql`a.name` }])} as level
      from public_area a
      where a.owner_id = ${ownerId}
        and a.project_code = ${projectCode}
        and ${notDeleted('a')}
        and ${contains(sql`a.name`, keyword)}
        ${visibleIn(sql`a.build_code`, search)}
      ${bestSources}
    )`,
  ]
}

/** What is no room, by bill number and receipt number. */
export const sourcesByNumber = (search: SourceSearch): readonly Fragment[] => {
  const { ownerId, projectCode, keyword } = search
  return [
    sql`(
      select b.source_type::int, b.source_code, b.source_name, b.build_code, null::text,
        b.source_name as sort_key, ${reason('e-bill')}, b.bill_no,
        ${levelByNumber(keyword, sql`b.bill_no`)} as level
      from bill b
      where b.owner_id = ${ownerId}
        and b.project_code = ${projectCode}
        and b.bill_no = ${asNumber(keyword)}
        and b.source_type <> ${roomCode}
        ${visibleIn(sql`b.build_code`, search)}
    )`,
    sql`(
      select d.source_type::int, d.source_code, d.source_name, p.build_code, null::text,
        d.source_name as sort_key, ${reason('f-receipt')}, ${receiptText(keyword)},
        ${levelByNumber(keyword, receiptText(keyword))} as level
      from pay_record p
      join pay_detail d on d.owner_id = ${ownerId} and d.record_id = p.id
      where p.owner_id = ${ownerId}
        and p.project_code = ${projectCode}
        and (p.receipt_no = ${asNumber(keyword)} or p.record_no = ${asNumber(keyword)})
        and d.source_type <> ${roomCode}
        ${visibleIn(sql`p.build_code`, search)}
      ${bestSources}
    )`,
  ]
}
