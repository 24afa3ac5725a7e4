import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { residentState } from '../contract/labels.ts'
import { findDuplicateResidents } from '../contract/maintenance.ts'
import { resident } from '../contract/resident.ts'
import { residentDomainFilter } from './resident-access.ts'
import { keywordFilter } from './resident-filters.ts'
import { presentResidents } from './resident-presentation.ts'

interface DuplicatePair {
  readonly a: Id
  readonly b: Id
  readonly birthday: boolean
  readonly phone: boolean
  readonly room: boolean
}

interface Group {
  readonly ids: Set<Id>
  readonly similarities: Set<string>
}

const duplicatePairs = sqlFile(import.meta.dirname, 'duplicate-residents.sql', ['ownerId', 'conditions'])

/** Pairs that share a person belong to one group. */
function groupPairs(pairs: readonly DuplicatePair[]): readonly Group[] {
  const groups: Group[] = []
  for (const pair of pairs) {
    let group = groups.find(g => g.ids.has(pair.a) || g.ids.has(pair.b))
    if (!group) {
      group = { ids: new Set(), similarities: new Set(['姓名']) }
      groups.push(group)
    }
    group.ids.add(pair.a).add(pair.b)
    if (pair.room) {
      group.similarities.add('房间')
    }
    if (pair.birthday) {
      group.similarities.add('生日')
    }
    if (pair.phone) {
      group.similarities.add('电话')
    }
  }
  return groups
}

export const findDuplicateResidentsHandler = reads(
  findDuplicateResidents,
  async ({ projectCode, keyword }, { db, scope, today }) => {
    const conditions = [
      notDeleted('t'),
      sql`t.state = ${code(residentState, 'normal')}`,
      ...residentDomainFilter(scope, projectCode),
      ...(keyword ? [keywordFilter(scope.ownerId, keyword)] : []),
    ]
    const pairs = await db.rows(
      duplicatePairs<DuplicatePair>({ ownerId: scope.ownerId, conditions: sql.join(conditions, sql` and `) }),
    )
    const ids = [...new Set(pairs.flatMap(pair => [pair.a, pair.b]))]
    const found = await presentResidents(db, scope, await findByIds(db, resident, scope, ids), today)
    const personById = new Map(found.map(person => [person.id, person]))
    return groupPairs(pairs).map(group => ({
      reason: [...group.similarities].join('、'),
      people: [...group.ids].flatMap(id => personById.get(id) ?? []),
    }))
  },
)
