import { sql, type Db } from '#kit/server/db.ts'
import { defined } from '#kit/domain/defined.ts'
import { erasureBlockers } from '#kit/server/personal-data/registry.ts'
import { peopleOfKind, type Person } from './person.ts'

export interface BlockerCount {
  readonly label: string
  readonly count: number
  readonly advice: string
}

/** What has to be settled before the person is erased. */
export async function countBlockers(db: Db, person: Person): Promise<BlockerCount[]> {
  const blockers = erasureBlockers().flatMap(({ label, advice, counts }) =>
    Object.entries(counts).flatMap(([entity, countOf]) => {
      const people = peopleOfKind(person, entity)
      return people ? [{ label, advice, count: countOf(people) }] : []
    }),
  )
  if (!blockers.length) return []
  const counted = defined(
    await db.one<Record<string, number>>(
      sql`select ${sql.join(blockers.map(({ count }, i) => sql`(${count}) as ${sql.id(`n${i}`)}`))}`,
    ),
  )
  return blockers.flatMap(({ label, advice }, i) => {
    const count = defined(counted[`n${i}`])
    return count > 0 ? [{ label, advice, count }] : []
  })
}

export const blockersText = (blockers: readonly BlockerCount[]): string =>
  `不能删除：${blockers.map(({ label, count, advice }) => `${label} ${count} 项，${advice}`).join('；')}`
