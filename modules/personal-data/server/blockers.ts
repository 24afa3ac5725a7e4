import { sql, type Db } from '#kit/server/db.ts'
import { defined } from '#kit/domain/defined.ts'
import { erasureBlockers } from '#kit/server/personal-data/registry.ts'
import { peopleOfKind, type Person } from './person.ts'

export interface Blocker {
  readonly label: string
  readonly count: number
  /** What the first of them are called. */
  readonly numbers: readonly string[]
  readonly advice: string
  readonly path: string
}

const shownNumbers = 5

/** What has to be settled before the person is erased. */
export async function findBlockers(db: Db, person: Person): Promise<Blocker[]> {
  const blockers = erasureBlockers().flatMap(({ found, ...blocker }) => {
    const statements = Object.entries(found).flatMap(([entity, rowsOf]) => {
      const people = peopleOfKind(person, entity)
      return people ? [rowsOf(people)] : []
    })
    return statements.length ? [{ ...blocker, rows: sql.join(statements, sql` union `) }] : []
  })
  if (!blockers.length) return []
  const columns = blockers.map(
    ({ rows }, i) =>
      sql`(select coalesce(array_agg(distinct n.number::text), '{}') from (${rows}) n) as ${sql.id(`n${i}`)}`,
  )
  const row = defined(await db.one<Record<string, readonly string[]>>(sql`select ${sql.join(columns)}`))
  return blockers.flatMap(({ label, advice, path }, i) => {
    const all = defined(row[`n${i}`])
    return all.length ? [{ label, advice, path, count: all.length, numbers: all.slice(0, shownNumbers) }] : []
  })
}

const numbersText = ({ count, numbers }: Blocker): string =>
  `${numbers.join('、')}${count > numbers.length ? ' 等' : ''}`

export const blockersText = (blockers: readonly Blocker[]): string =>
  `不能删除：${blockers
    .map(each => `${each.label} ${each.count} 项（${numbersText(each)}），${each.advice}`)
    .join('；')}`
