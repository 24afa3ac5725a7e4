import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findPage, findAll } from '#kit/server/table.ts'
import { residentState } from '../contract/labels.ts'
import { searchResidentOptions } from '../contract/maintenance.ts'
import {
  listResidents,
  getResident,
  resident,
  residentFilters,
  findMatchingResidents,
  type Resident,
} from '../contract/resident.ts'
import { normalizeCertNo } from '../domain/person.ts'
import { residentDomainFilter, requireResident } from './resident-access.ts'
import {
  findHits,
  isTextOnly,
  plainFilters,
  residentListFilters,
  type ResidentListQuery,
} from './resident-filters.ts'
import { findRankedResidents } from './resident-search.ts'
import {
  attachListExtras,
  loadListExtras,
  presentResident,
  presentResidents,
} from './resident-presentation.ts'

const defaultPageSize = 10
const defaultOptions = 50
const maxPageSize = 2000

/** Residents in use under a mobile or a document (BASE-13). */
export async function findSameResidents(
  db: Db,
  scope: Scope,
  person: {
    readonly id?: Id | undefined
    readonly mobile?: string | undefined
    readonly certNo?: string | undefined
  },
): Promise<Resident[]> {
  const certNo = person.certNo && normalizeCertNo(person.certNo)
  const numbers = [
    ...(person.mobile ? [sql`t.mobile = ${person.mobile}`] : []),
    ...(certNo ? [sql`t.cert_no = ${certNo}`] : []),
  ]
  if (!numbers.length) return []
  const where = [
    sql`t.state = ${code(residentState, 'normal')}`,
    sql`t.id <> ${person.id ?? 0}`,
    sql`(${sql.join(numbers, sql` or `)})`,
  ]
  return findAll(db, resident, scope, {}, { where, limit: 10 })
}

/** The hits are the whole result: only this page of them is fetched, with its homes at the same time. */
async function pageOfHits(query: ResidentListQuery, hits: readonly Id[], { db, scope, today }: ReadContext) {
  const size = Math.min(query.size ?? defaultPageSize, maxPageSize)
  const offset = ((query.page ?? 1) - 1) * size
  const ids = hits.toSorted((a, b) => b - a).slice(offset, offset + size)
  if (!ids.length || query.part === 'totals') return { total: hits.length, rows: [] }
  const [residents, extras] = await Promise.all([
    findAll(db, resident, scope, { order: '-id' }, { where: [sql`t.id = any(${ids})`] }),
    loadListExtras(db, scope, ids, today),
  ])
  return { total: hits.length, rows: attachListExtras(residents, extras) }
}

const listResidentsHandler = reads(listResidents, async (query, context) => {
  const { db, scope, today } = context
  const hits = await findHits(db, scope, query)
  if (hits && isTextOnly(query)) return pageOfHits(query, hits, context)
  const page = await findPage(db, resident, scope, plainFilters(query), {
    filters: residentFilters,
    where: residentListFilters(scope, query, today, hits),
  })
  return { ...page, rows: await presentResidents(db, scope, page.rows, today) }
})

const getResidentHandler = reads(getResident, async ({ id }, { db, scope, today }) =>
  presentResident(db, scope, await requireResident(db, scope, id), today),
)

const searchResidentOptionsHandler = reads(
  searchResidentOptions,
  async ({ keyword, projectCode, size, userIds }, { db, scope, today }) => {
    if (userIds?.length) {
      const named = await findAll(
        db,
        resident,
        scope,
        {},
        { where: residentListFilters(scope, { userIds }, today), limit: userIds.length },
      )
      return presentResidents(db, scope, named, today)
    }
    if (keyword) {
      const best = await findRankedResidents(db, scope, {
        keyword,
        projectCode,
        size: size ?? defaultOptions,
      })
      const found = await findAll(db, resident, scope, {}, { where: [sql`t.id = any(${best})`] })
      const place = new Map(best.map((id, index) => [id, index]))
      const placeOf = ({ id }: Resident): number => place.get(id) ?? best.length
      const shown = await presentResidents(db, scope, found, today)
      return shown.toSorted((a, b) => placeOf(a) - placeOf(b))
    }
    const where = [
      sql`t.state = ${code(residentState, 'normal')}`,
      ...residentDomainFilter(scope, projectCode),
    ]
    const found = await findAll(db, resident, scope, {}, { where, limit: size ?? defaultOptions })
    return presentResidents(db, scope, found, today)
  },
)

const findMatchingResidentsHandler = reads(findMatchingResidents, async (person, { db, scope, today }) => {
  return presentResidents(db, scope, await findSameResidents(db, scope, person), today)
})

export const listHandlers = [
  listResidentsHandler,
  getResidentHandler,
  searchResidentOptionsHandler,
  findMatchingResidentsHandler,
]
