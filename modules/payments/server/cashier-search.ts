import { codeOf } from '#kit/contract/field.ts'
import { hasAddressNumber, splitAddressAndName } from '#kit/domain/address.ts'
import { rankSearch, type SearchField } from '#kit/domain/search-rank.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import {
  roomCode,
  roomIdsByAddressAndName,
  roomIdsByName,
  roomIdsByNumber,
  roomIdsByPayer,
  sourcesByName,
  sourcesByNumber,
  visibleIn,
  type SearchReason,
  type SourceSearch,
} from './cashier-search-parts.ts'

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

const reasonLabels: Readonly<Record<SearchReason, string>> = {
  'a-name': '房号',
  'b-person': '姓名',
  'c-company': '企业',
  'd-place': '车位',
  'e-bill': '账单号',
  'f-receipt': '收据号',
}

/** Numbers that many share digits with: they answer after every room and name. */
const secondaryReasons: ReadonlySet<SearchReason> = new Set(['d-place', 'e-bill', 'f-receipt'])

const roomType = Number(codeOf(sourceType, 'room'))
/** Known by a number of their own. */
const numberedTypes: ReadonlySet<number> = new Set([
  Number(codeOf(sourceType, 'parkPlace')),
  Number(codeOf(sourceType, 'car')),
])

/** Enough for the product's ranking of the best: more of them than are shown, of every building. */
const maxCandidates = 200
const maxFound = 20

/** Rooms that a keyword may mean: the best level of each, of every building in turn. */
const bestRooms = (search: SourceSearch): Fragment => sql`
  select r.id, r.code, r.path, r.build_code as building,
    coalesce(r.payer_name, r.main_owner_name) as note, r.sort_key, h.level, h.reason, h.text, h.mobile,
    row_number() over (partition by h.level, r.build_code order by r.sort_key) as turn
  from best h
  join room r on r.owner_id = ${search.ownerId} and r.id = h.id
  where r.project_code = ${search.projectCode} and ${notDeleted('r')} ${visibleIn(sql`r.build_code`, search)}`

/** Bills `b` of the project that are owed. */
const isOwed = ({ ownerId, projectCode }: SourceSearch): Fragment =>
  sql`b.owner_id = ${ownerId}
    and b.project_code = ${projectCode}
    and ${notDeleted('b')}
    and b.state = ${code(billState, 'normal')}
    and b.pay_state = ${code(payState, 'unpaid')}`

const candidateRows = sqlFile(import.meta.dirname, 'cashier-search.sql', [
  'ownerId',
  'project',
  'hits',
  'otherSources',
  'bestRooms',
  'maxCandidates',
  'room',
  'place',
  'livePlace',
  'isOwed',
])

/** What a keyword may mean: statements that find rooms, and those that find other sources. */
interface SourceFinders {
  readonly rooms: readonly Fragment[]
  readonly others: readonly Fragment[]
}

function findersOf(search: SourceSearch): SourceFinders {
  const hasNumber = hasAddressNumber(search.keyword)
  return {
    rooms: [roomIdsByName(search), ...roomIdsByPayer(search), ...(hasNumber ? roomIdsByNumber(search) : [])],
    others: [...sourcesByName(search), ...(hasNumber ? sourcesByNumber(search) : [])],
  }
}

/** Sources with what each owes: a room with its parking places, as it opens. */
const findCandidates = (
  db: Db,
  search: SourceSearch,
  { rooms, others }: SourceFinders,
): Promise<SourceRow[]> =>
  db.rows(
    candidateRows<SourceRow>({
      ownerId: search.ownerId,
      project: search.projectCode,
      hits: sql.join(rooms, sql` union all `),
      otherSources: sql.join(others, sql` union all `),
      bestRooms: bestRooms(search),
      maxCandidates: sql.lit(maxCandidates),
      room: roomCode,
      place: code(sourceType, 'parkPlace'),
      livePlace: notDeleted('k'),
      isOwed: isOwed(search),
    }),
  )

/** The texts by which a source was found, its own name first. */
function searchFieldsOf(row: SourceRow): readonly [SearchField, ...SearchField[]] {
  const name = {
    label: row.type === roomType ? '房号' : (row.note ?? '名称'),
    text: row.name,
    isPath: row.type === roomType,
    isSecondary: numberedTypes.has(row.type),
  }
  if (!row.reason || row.foundText === undefined) return [name]
  return [
    name,
    {
      label: row.reason === 'a-name' ? '招牌' : reasonLabels[row.reason],
      text: row.foundText,
      isSecondary: secondaryReasons.has(row.reason),
    },
    ...(row.foundMobile ? [{ label: '手机号', text: row.foundMobile, isSecondary: true }] : []),
  ]
}

/** The rooms of an address where somebody of that name lives, ranked by the address. */
async function findByAddressAndName(db: Db, search: SourceSearch): Promise<SourcesFound | undefined> {
  const typed = splitAddressAndName(search.keyword)
  if (!typed) return undefined
  const ofAddress = { ...search, keyword: typed.address }
  const rows = await findCandidates(db, ofAddress, {
    rooms: [roomIdsByAddressAndName(ofAddress, typed.name)],
    others: sourcesByName(search),
  })
  return { keyword: typed.address, rows }
}

interface SourcesFound {
  /** By what they are ranked. */
  readonly keyword: string
  readonly rows: readonly SourceRow[]
}

/**
 * What may be meant by a keyword (BILL-11): rooms by name, people, places and numbers, then places, areas and
 * companies that are charged themselves; where nothing answers, rooms by an address and a name together. Each
 * part is served by an index of its own. At most twenty, in the order of `rankSearch`.
 */
export async function findSources(db: Db, search: SourceSearch): Promise<FoundSource[]> {
  const plain = { ...search, keyword: search.keyword.normalize('NFKC') }
  const byKeyword = await findCandidates(db, plain, findersOf(plain))
  const { keyword, rows } = (byKeyword.length ? undefined : await findByAddressAndName(db, plain)) ?? {
    keyword: plain.keyword,
    rows: byKeyword,
  }
  const candidates = rows.map(row => ({
    row,
    fields: searchFieldsOf(row),
    group: row.building,
    // Rooms before what belongs to nobody.
    sortKey: `${row.type} ${row.sortKey ?? row.name}`,
  }))
  return rankSearch(keyword, candidates, maxFound).map(({ candidate: { row, fields }, match }) => ({
    ...row,
    matched: match?.field ?? fields[1] ?? fields[0],
  }))
}
