import type { Id } from '#kit/domain/id.ts'
import { rankSearch } from '#kit/domain/search-rank.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { searchLevelSql } from '#kit/server/search-rank.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { residentState } from '../contract/labels.ts'
import { residentDomainFilter } from './resident-access.ts'
import { currentStatus, findHits, keywordFilter } from './resident-filters.ts'

interface ResidentCandidate {
  readonly id: Id
  readonly name: string
  readonly mobile?: string
  readonly paths: readonly string[]
  readonly sortKey?: string
}

const maxCandidates = 1000

/** The people who answer best to a keyword, the best first (BILL-11): rooms and names before telephones. */
export async function findRankedResidents(
  db: Db,
  scope: Scope,
  { keyword, projectCode, size }: { keyword: string; projectCode?: string | undefined; size: number },
): Promise<readonly Id[]> {
  const { ownerId } = scope
  const hits = await findHits(db, scope, { keyword, ...(projectCode ? { projectCode } : {}) })
  const where = hits
    ? [sql`t.id = any(${hits})`]
    : [...residentDomainFilter(scope, projectCode), keywordFilter(ownerId, keyword)]
  const level = searchLevelSql(keyword, [
    { column: sql`r.path`, isPath: true },
    { column: sql`t.name` },
    { column: sql`t.mobile`, isSecondary: true },
  ])
  const candidates = await db.rows<ResidentCandidate>(sql`
    select t.id, t.name, t.mobile, min(r.sort_key) as sort_key,
      coalesce(array_agg(r.path order by r.sort_key) filter (where r.path is not null), '{}') as paths
    from resident t
    left join user_room l on l.owner_id = ${ownerId}
      and l.user_id = t.id
      and ${notDeleted('l')}
      and ${currentStatus()}
    left join room r on r.owner_id = ${ownerId} and r.id = l.room_id and ${notDeleted('r')}
    where t.owner_id = ${ownerId}
      and ${notDeleted('t')}
      and t.state = ${code(residentState, 'normal')}
      and ${sql.join(where, sql` and `)}
    group by t.id, t.name, t.mobile
    order by min(${level}), min(r.sort_key) nulls last, t.id
    limit ${sql.lit(maxCandidates)}
  `)
  return rankSearch(
    keyword,
    candidates.map(({ id, name, mobile = '', paths, sortKey = '~' }) => ({
      id,
      sortKey,
      fields: [
        { label: '姓名', text: name },
        ...paths.map(text => ({ label: '房号', text, isPath: true })),
        { label: '手机号', text: mobile, isSecondary: true },
      ],
    })),
    size,
  ).map(({ candidate }) => candidate.id)
}
