import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { ColumnRole } from '#kit/server/personal-data/declaration.ts'
import type { StoredColumn } from './catalogue.ts'
import {
  anyOf,
  column,
  holdsToken,
  identifies,
  isName,
  isText,
  ownValue,
  replaced,
  replacementOf,
} from './column-values.ts'
import { headingOf, labelsOf } from './labels.ts'
import type { Person } from './person.ts'
import {
  besideColumns,
  conditionalAssignments,
  numberConditions,
  ownConditions,
  rowKey,
  type DeclaredTable,
} from './table-statements.ts'

type Sql = RawBuilder<unknown>

/** A column in which the person stands: what it is called, and the beginning of what is in it. */
export interface MentionCell {
  readonly heading: string
  readonly text: string
  /** A telephone, a document, a card or a plate and nothing else, which may be somebody else's. */
  readonly isNumber: boolean
}

/** A row of somebody else, or of nobody, in which a name or a number of the person stands. */
export interface Mention {
  readonly tableName: string
  readonly rowKey: string
  readonly label: string
  /** The row's own number, where it has one. */
  readonly number: string
  readonly cells: readonly MentionCell[]
  /** Confirmed, the row is treated as the person's own: it names nobody else as the one whom it is about. */
  readonly isOwn: boolean
}

/** Rows of one table that are shown: who has a name that is a word finds it everywhere. */
export const mentionsPerTable = 100

type Found = readonly [name: string, condition: Sql]

/** A detail of somebody else may speak of the person as well: it is a text then. */
const isSearched = (role: ColumnRole, stored: StoredColumn | undefined): boolean =>
  isText(role) ||
  (role === 'detail' && stored?.type === 'text') ||
  (typeof role === 'object' && stored?.type.startsWith('json') === true)

/** Columns in which a name or a number stands, with the condition. */
export function mentionColumns(table: DeclaredTable, person: Person): Found[] {
  // A condition on an empty column is unknown, and so would its negation be.
  const beside = new Map(besideColumns(table, person))
  return foundColumns(table, person).map(([name, condition]) => {
    const linked = beside.get(name)
    return linked ? [name, sql`(${condition} and (${linked}) is not true)`] : [name, condition]
  })
}

function foundColumns({ declared, stored }: DeclaredTable, { all }: Person): Found[] {
  const by = replacementOf(all, '')
  const texts = { mobile: all.mobiles, idCard: all.idCards, email: all.emails } as const
  const equals = (name: string, values: readonly string[]): Found[] =>
    values.length ? [[name, sql`${column(name)} = any(${[...values]}::text[])`]] : []
  return Object.entries(declared.columns).flatMap(([name, role]): Found[] => {
    if (!stored.columns.has(name)) return []
    if (identifies(role)) return equals(name, texts[role])
    if (role === 'named') return equals(name, [...all.names, ...all.plates])
    if (isName(role)) return equals(name, all.names)
    const tokens = [...by.numbers, ...by.names]
    return isSearched(role, stored.columns.get(name)) && tokens.length
      ? [[name, holdsToken(name, tokens)]]
      : []
  })
}

/** Rows of others that may speak of the person; copies and the person's own rows are none. */
export function mentionCondition(table: DeclaredTable, person: Person): Sql | undefined {
  const { declared } = table
  if (declared.isCopy || declared.isEmptied || declared.needsReview || !table.stored.key.length)
    return undefined
  const found = mentionColumns(table, person)
  if (!found.length) return undefined
  const own = ownConditions(table, person)
  const isAnywhere = anyOf(found.map(([, condition]) => condition))
  const isFound =
    declared.hints === undefined ? isAnywhere : sql`(${sql.raw(declared.hints)} and ${isAnywhere})`
  return own.length ? sql`(${isFound} and (${anyOf(own)}) is not true)` : isFound
}

const anyNumber = /^(\w+_)?no$/

/** Vouchers, orders and bills are called by these; other numbers are people's, cards' or secrets. */
const numberColumns: readonly string[] = [
  'bill_no',
  'order_no',
  'receipt_no',
  'refund_no',
  'deposit_no',
  'transfer_no',
  'sheet_no',
  'invoice_no',
  'instance_no',
  'purchase_no',
  'record_no',
  'task_no',
  'batch_no',
  'serial_no',
]

/** What a row is called by: no number of a person, a card or a car, which its declaration names. */
const ownNumberColumn = ({ declared, stored }: DeclaredTable): string | undefined =>
  [...stored.columns.keys()].find(name => numberColumns.includes(name) && !(name in declared.columns))

interface FoundRow {
  readonly rowKey: string
  readonly number: string
  readonly texts: readonly (string | null)[]
  readonly isOwn: boolean
}

async function findInTable(
  db: Db,
  table: DeclaredTable,
  person: Person,
  label: string,
  heading: (c: string) => string,
) {
  const condition = mentionCondition(table, person)
  if (!condition) return []
  const found = mentionColumns(table, person)
  const byNumber = anyOf(numberConditions(table, person))
  const texts = found.map(([name, each]) => sql`case when ${each} then left(${column(name)}::text, 60) end`)
  const numberColumn = ownNumberColumn(table)
  const ownNumber = numberColumn === undefined ? sql`null` : sql`${column(numberColumn)}::text`
  const rows = await db.rows<FoundRow>(sql`
    select ${rowKey(table)} as row_key,
      coalesce(${ownNumber}, ${rowKey(table)}) as number,
      array[${sql.join(texts)}] as texts,
      coalesce(${byNumber}, false) as is_own
    from ${sql.table(table.name)} t
    where t.owner_id = ${person.ownerId} and ${condition}
    order by ${sql.join(table.stored.key.map(column))}
    limit ${mentionsPerTable}
  `)
  const cellsOf = (values: FoundRow['texts']): MentionCell[] =>
    found.flatMap(([name], i) => {
      const text = values[i]
      const role = table.declared.columns[name]
      const isNumber = anyNumber.test(name) || (role !== undefined && identifies(role))
      return text ? [{ heading: heading(name), text, isNumber }] : []
    })
  return rows.map(({ texts: values, ...row }) => ({
    ...row,
    tableName: table.name,
    label,
    cells: cellsOf(values),
  }))
}

/** Rows of others in which the person may be meant: somebody has to look and to confirm them. */
export async function findMentions(
  db: Db,
  person: Person,
  tables: readonly DeclaredTable[],
): Promise<Mention[]> {
  const labels = labelsOf(tables)
  const mentions: Mention[] = []
  for (const table of tables) {
    const tableLabels = labels.get(table.name)
    const label = tableLabels?.label ?? table.declared.purpose
    mentions.push(...(await findInTable(db, table, person, label, name => headingOf(tableLabels, name))))
  }
  return mentions
}

/** What becomes of a confirmed row that is not the person's own: the person gives way, the rest stays. */
export function mentionAssignments(table: DeclaredTable, person: Person, ownerId: Id): Sql[] {
  const by = replacementOf(person.all, person.code)
  return conditionalAssignments(
    mentionColumns(table, person).flatMap(([name, condition]) => {
      const [role, stored] = [table.declared.columns[name], table.stored.columns.get(name)]
      if (!role || !stored) return []
      const value = isSearched(role, stored)
        ? replaced(name, role, stored, by)
        : ownValue(name, role, stored, by, ownerId)
      return value ? [[name, condition, value] as const] : []
    }),
  )
}
