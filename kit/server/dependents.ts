import { sql, type RawBuilder, type Tx } from './db.ts'
import { Refused, resultCode, type FieldFault } from '#kit/contract/wire.ts'
import type { Scope } from './scope.ts'
import { notDeleted } from './sql.ts'
import { defined } from '#kit/domain/defined.ts'

/** What still refers to a record, counted by kind as text for people: `{ label: '房间', count: 12 }`. */
export interface DependentCount {
  readonly label: string
  readonly count: number
  /** The first of them, where people know them by name. */
  readonly names?: readonly string[] | undefined
}

type CountDependents = (tx: Tx, scope: Scope, rows: readonly any[]) => Promise<readonly DependentCount[]>
const dependentCounters = new Map<string, CountDependents[]>()

/**
 * A module that has records that refer to another's entity says how to count them; the owner asks before it
 * deletes (BASE-5).
 */
export const registerDependents = (entity: string, countDependents: CountDependents): void => {
  dependentCounters.set(entity, [...(dependentCounters.get(entity) ?? []), countDependents])
}

/** Live rows of a table that refer to a record: what people call them, and the condition that finds them. */
export interface DependentRows {
  readonly label: string
  readonly table: string
  readonly where: (row: any, scope: Scope) => RawBuilder<unknown>
  /** The count stops here where there may be very many. */
  readonly atMost?: number
  /** The column that names them. */
  readonly names?: string
  /** A condition: those that need the record to be enabled, and prevent disabling it. */
  readonly keepsInUse?: RawBuilder<unknown>
}

const useCounters = new Map<string, CountDependents[]>()

const maxNames = 3

const rowsSql = ({ table, where }: DependentRows, row: unknown, scope: Scope): RawBuilder<unknown> => sql`
  from ${sql.table(table)}
  where owner_id = ${scope.ownerId} and ${notDeleted()} and ${where(row, scope)}`

/** Counts the rows of several tables in one statement. */
const rowCounter =
  (counted: readonly DependentRows[]): CountDependents =>
  async (tx, scope, [row]) => {
    const columns = counted.flatMap((dependent, i) => [
      sql`(
        select count(*)
        from (
          select
          ${rowsSql(dependent, row, scope)}
          ${dependent.atMost === undefined ? sql`` : sql`limit ${dependent.atMost}`}
        ) x
      )::int as ${sql.id(`n${i}`)}`,
      ...(dependent.names === undefined
        ? []
        : [
            sql`array(
              select ${sql.id(dependent.names)}
              ${rowsSql(dependent, row, scope)}
              order by id
              limit ${maxNames}
            ) as ${sql.id(`names${i}`)}`,
          ]),
    ])
    const found = defined(await tx.one<Record<string, unknown>>(sql`select ${sql.join(columns)}`))
    return counted.map(({ label }, i) => ({
      label,
      count: Number(found[`n${i}`]),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the column is an array of texts
      names: found[`names${i}`] as readonly string[] | undefined,
    }))
  }

/** Registers dependents that are rows of tables: all are counted in one statement. */
export const registerDependentRows = (entity: string, ...counted: readonly DependentRows[]): void => {
  registerDependents(entity, rowCounter(counted))
  const inUse = counted.flatMap(dependent => {
    const { keepsInUse, where } = dependent
    if (!keepsInUse) return []
    return [
      { ...dependent, where: (row: unknown, scope: Scope) => sql`${where(row, scope)} and ${keepsInUse}` },
    ]
  })
  if (inUse.length) {
    useCounters.set(entity, [...(useCounters.get(entity) ?? []), rowCounter(inUse)])
  }
}

const dependentText = ({ label, count, names = [] }: DependentCount): string => {
  const list = names.length ? `（${names.join('、')}${count > names.length ? ' 等' : ''}）` : ''
  return `${label} ${count} 个${list}`
}

async function findBlocking(
  counters: readonly CountDependents[] | undefined,
  tx: Tx,
  scope: Scope,
  rows: readonly unknown[],
): Promise<string | undefined> {
  const blocking: DependentCount[] = []
  for (const countDependents of counters ?? []) {
    blocking.push(...(await countDependents(tx, scope, rows)).filter(({ count }) => count > 0))
  }
  return blocking.length ? blocking.map(dependentText).join('、') : undefined
}

interface Switched {
  readonly state?: unknown
}

/**
 * What is wrong with a record that its form switches off while others need it in use; for the check of a
 * crud.
 */
export async function disablingFaults(
  { tx, scope }: { readonly tx: Tx; readonly scope: Scope },
  { name, label }: { readonly name: string; readonly label: string },
  draft: Switched,
  before: Switched | undefined,
): Promise<FieldFault[]> {
  if (before?.state !== 'on' || draft.state !== 'off') return []
  const blocking = await findBlocking(useCounters.get(name), tx, scope, [before])
  return blocking ? [{ Field: 'State', Message: `${label}不能停用：还有${blocking}，请先停用或更换` }] : []
}

/** What needs a record in use, as text (`任务计划 2 个（早班、晚班）`); empty where nothing does. */
export const findUses = (
  { tx, scope }: { readonly tx: Tx; readonly scope: Scope },
  { name }: { readonly name: string },
  row: unknown,
): Promise<string | undefined> => findBlocking(useCounters.get(name), tx, scope, [row])

/** Refuses to delete what is still in use; the message lists the counts by kind. */
export async function assertDeletable(
  tx: Tx,
  scope: Scope,
  entity: string,
  label: string,
  rows: readonly unknown[],
): Promise<void> {
  const blocking = await findBlocking(dependentCounters.get(entity), tx, scope, rows)
  if (blocking) throw new Refused(resultCode.refused, `${label}不能删除：还有${blocking}，请先处理`)
}
