import { labelOf, type ChoiceOf, type Day, type Moment } from '#kit/contract/field.ts'
import type { LegalGround } from '#kit/contract/legal-ground.ts'
import { periodUnit } from '#kit/contract/period-unit.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { declaredPersonalTables, isTransient } from '#kit/server/personal-data/registry.ts'
import { erasureTreatment } from '../contract/choices.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import { keptUntil } from '../domain/retention.ts'
import { anyOf, holdsToken, isKept, replacementOf } from './column-values.ts'
import { copyStatements } from './copies.ts'
import { isHeldByLaw, ruleOf } from './held.ts'
import { headingOf, isShownColumn, labelsOf, type TableLabels } from './labels.ts'
import type { Person } from './person.ts'
import { readPeriods, type Periods } from './retention-setting.ts'
import { besideColumns, ownConditions, type DeclaredTable } from './table-statements.ts'

type Sql = RawBuilder<unknown>

export type Treatment = ChoiceOf<typeof erasureTreatment>

export interface ReportLine {
  readonly tableName: string
  readonly label: string
  readonly columns: string
  readonly rowCount: number
  readonly since?: Moment
  readonly purpose: string
  readonly ground: LegalGround
  readonly until: string
  readonly treatment: Treatment
  readonly keptReason?: string
  readonly keptUntil?: Day
}

interface FoundConditions {
  /** Whether a row that was found is the person's own. */
  readonly isOwn: Sql
  /** What the person's own rows are known by, where that is found out beside each row. */
  readonly beside: Sql
  readonly isFound: Sql
}

/**
 * The rows in which the person is found for sure; nothing where the table cannot hold any. What makes rows of
 * a log the person's own is long, and planning it takes longer than looking: it stands once.
 */
function foundConditions(table: DeclaredTable, person: Person): FoundConditions | undefined {
  const { isCopy, isEmptied, needsReview } = table.declared
  const copies = isCopy ? copyStatements(table, person, undefined) : undefined
  const own = ownConditions(table, person)
  const others = [
    ...besideColumns(table, person).map(([, condition]) => condition),
    ...(copies ? [copies.condition] : []),
    ...(isEmptied || needsReview ? [sql`true`] : []),
  ]
  if (!own.length && !others.length) return undefined
  if (!others.length) return { isOwn: sql`true`, beside: sql``, isFound: anyOf(own) }
  const beside = sql`cross join lateral (select ${anyOf(own)} as is_own offset 0) f`
  // All rows of a copy are read; elsewhere an index may find them.
  return { isOwn: sql`f.is_own`, beside, isFound: anyOf([...(copies ? [sql`f.is_own`] : own), ...others]) }
}

/**
 * Which of the rows found are counted: of those that people look through, the ones whose columns name the
 * person. What stands in the content is unknown, so the others are looked through as well.
 */
function countedCondition({ declared }: DeclaredTable, { all }: Person): Sql {
  if (!declared.needsReview) return sql`true`
  const { numbers, names } = replacementOf(all, '')
  const tokens = [...numbers, ...names]
  return tokens.length
    ? anyOf(Object.keys(declared.columns).map(name => holdsToken(name, tokens)))
    : sql`false`
}

/** What an erasure does with the rows of a table: what only mentions the person is never kept by law. */
function treatmentOf(table: DeclaredTable, ownCount: number): Treatment {
  const roles = Object.values(table.declared.columns)
  if (table.declared.needsReview) return 'manual'
  if (table.declared.isEmptied || (table.declared.isDeleted && ownCount)) return 'erased'
  return (isHeldByLaw(table) && ownCount) || roles.every(isKept) ? 'kept' : 'anonymised'
}

function untilText(table: DeclaredTable, periods: Periods): string {
  const rule = ruleOf(table)
  if (rule?.setIn) return `「${rule.setIn.title}」的天数`
  return rule ? `${periods.get(rule.key) ?? rule.initial} ${labelOf(periodUnit, rule.unit)}` : '目的实现为止'
}

interface FoundRows {
  readonly table: DeclaredTable
  readonly rowCount: number
  readonly ownCount: number
  /** With those that are only looked through. */
  readonly foundCount: number
  readonly since?: Moment
  readonly last?: Moment
}

async function countFound(db: Db, table: DeclaredTable, person: Person): Promise<FoundRows> {
  const conditions = foundConditions(table, person)
  if (!conditions) return { table, rowCount: 0, ownCount: 0, foundCount: 0 }
  const { isOwn, beside, isFound } = conditions
  const isCounted = countedCondition(table, person)
  const time = table.stored.columns.has('create_time') ? sql`t.create_time` : sql`null::timestamptz`
  const row = await db.one<Omit<FoundRows, 'table'>>(sql`
    select count(*)::int as found_count, count(*) filter (where ${isCounted})::int as row_count,
      count(*) filter (where ${isOwn})::int as own_count, min(${time}) filter (where ${isCounted}) as since,
      max(${time}) filter (where ${isOwn}) as last
    from ${sql.table(table.name)} t
    ${beside}
    where t.owner_id = ${person.ownerId} and ${isFound}
  `)
  return { table, rowCount: 0, ownCount: 0, foundCount: 0, ...row }
}

function lineOf(
  { table, rowCount, ownCount, since, last }: FoundRows,
  labels: TableLabels | undefined,
  periods: Periods,
): ReportLine {
  const rule = ruleOf(table)
  const isHeld = rule !== undefined && ownCount > 0 && isHeldByLaw(table)
  return {
    tableName: table.name,
    label: labels?.label ?? table.declared.purpose,
    columns: Object.keys(table.declared.columns)
      .filter(isShownColumn)
      .map(column => headingOf(labels, column))
      .join('、'),
    rowCount,
    ...(since ? { since } : {}),
    purpose: table.declared.purpose,
    ground: table.declared.ground,
    until: untilText(table, periods),
    treatment: treatmentOf(table, ownCount),
    ...(isHeld ? { keptReason: rule.basis } : {}),
    ...(isHeld && last
      ? { keptUntil: keptUntil(dayOfMoment(last), periods.get(rule.key) ?? rule.initial) }
      : {}),
  }
}

/** What is kept of a person, table by table, those with rows alone; and what people look through. */
export async function reportPerson(
  db: Db,
  person: Person,
  tables: readonly DeclaredTable[],
): Promise<ReportLine[]> {
  const periods = await readPeriods(db, person.ownerId)
  const labels = labelsOf(tables)
  const lines: ReportLine[] = []
  for (const table of tables) {
    const found = await countFound(db, table, person)
    if (found.foundCount) {
      lines.push(lineOf(found, labels.get(table.name), periods))
    }
  }
  // The person's own records first, whatever the order in which the modules were loaded.
  const ownTables = new Map(
    tables.map(table => [table.name, Boolean(table.declared.people ?? table.declared.ownBy)]),
  )
  return lines.toSorted(
    (a, b) =>
      Number(ownTables.get(b.tableName)) - Number(ownTables.get(a.tableName)) ||
      (a.tableName < b.tableName ? -1 : 1),
  )
}

export const transientTexts = (): string[] =>
  [...declaredPersonalTables().values()].flatMap(table => (isTransient(table) ? [table.transient] : []))

/** Numbers that the person shares with others: they are treated in the person's own rows alone. */
export const sharedIdentifiers = ({
  all,
  exclusive,
}: {
  all: Identifiers
  exclusive: Identifiers
}): string[] => [
  ...all.mobiles.filter(mobile => !exclusive.mobiles.includes(mobile)).map(() => '手机号'),
  ...all.emails.filter(email => !exclusive.emails.includes(email)).map(() => '邮箱'),
]
