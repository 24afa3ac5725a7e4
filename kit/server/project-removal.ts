import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from './db.ts'
import type { Scope } from './scope.ts'

/** What is to be removed: a project's code, and the instant since when records have been entered under it. */
export interface RemovedProject {
  readonly projectCode: string
  readonly since: Date
}

/** Rows without a project of their own: they go with the row of `parent` that `column` names by its id. */
interface ChildTable {
  readonly table: string
  readonly parent: string
  readonly column: string
}

type Refusal = (tx: Tx, scope: Scope, project: RemovedProject) => Promise<string | undefined>
type Removal = (tx: Tx, scope: Scope, project: RemovedProject) => Promise<number>

/** What happened stays on record: who did what, and the tasks that were run. */
export const keptTables: readonly string[] = [
  'audit_log',
  'audit_log_rest',
  'operation_log',
  'operation_log_rest',
  'property_suggest',
  'task_center',
]

const children: ChildTable[] = []
const refusals: Refusal[] = []
const removals: Removal[] = []

/** A module names its tables that refer to rows of a project without naming the project. */
export const registerProjectChildren = (...tables: readonly ChildTable[]): void => {
  children.push(...tables)
}

export const projectChildTables = (): readonly ChildTable[] => children

/** A module says why a project of its data must stay; a text is shown to the person. */
export const registerRemovalRefusal = (refusal: Refusal): void => {
  refusals.push(refusal)
}

/** What a module removes beside rows that name the project. Returns how many. */
export const registerProjectRemoval = (removal: Removal): void => {
  removals.push(removal)
}

/** The tables with a project's rows; parts of partitioned tables are reached through the whole. */
async function tablesOfProjects(tx: Tx): Promise<string[]> {
  const found = await tx.rows<{ name: string }>(sql`
    select c.relname as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_code' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and exists (
        select 1 from pg_attribute o where o.attrelid = c.oid and o.attname = 'owner_id' and not o.attisdropped
      )
    order by c.relname
  `)
  return found.map(row => row.name).filter(name => !keptTables.includes(name))
}

interface Reference {
  readonly source: string
  readonly target: string
}

const referencesBetweenTables = (tx: Tx): Promise<readonly Reference[]> =>
  tx.rows<Reference>(sql`
    select source.relname as source, target.relname as target
    from pg_constraint f
    join pg_class source on source.oid = f.conrelid
    join pg_class target on target.oid = f.confrelid
    where f.contype = 'f'
      and f.connamespace = current_schema()::regnamespace
      and f.conrelid <> f.confrelid
  `)

/** A table comes before those that its rows refer to, so that no row is missed while it is still needed. */
export function orderForRemoval(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = []
  const visited = new Set<string>()
  const visit = (table: string): void => {
    if (visited.has(table)) return
    visited.add(table)
    for (const { source, target } of references) {
      if (target === table && tables.includes(source)) {
        visit(source)
      }
    }
    ordered.push(table)
  }
  tables.forEach(visit)
  return ordered
}

const removeChildren = (tx: Tx, scope: Scope, child: ChildTable, projectCode: string): Promise<number> =>
  tx.execute(sql`
    delete from ${sql.table(child.table)} c
    using ${sql.table(child.parent)} p
    where c.owner_id = ${scope.ownerId}
      and p.owner_id = ${scope.ownerId}
      and c.owner_id = p.owner_id
      and p.id = c.${sql.id(child.column)}
      and p.project_code = ${projectCode}
  `)

const removeRows = (tx: Tx, scope: Scope, table: string, projectCode: string): Promise<number> =>
  tx.execute(sql`
    delete from ${sql.table(table)}
    where owner_id = ${scope.ownerId} and project_code = ${projectCode}
  `)

/**
 * Deletes all rows of a project permanently and returns how many. Meant for sample data alone: unlike a
 * deletion by a person, nothing of it can be restored. Refused where a module needs the data.
 */
export async function removeProject(tx: Tx, scope: Scope, project: RemovedProject): Promise<number> {
  for (const refusal of refusals) {
    const reason = await refusal(tx, scope, project)
    if (reason) return refuse(reason)
  }
  let removed = 0
  for (const removal of removals) {
    removed += await removal(tx, scope, project)
  }
  for (const child of children) {
    removed += await removeChildren(tx, scope, child, project.projectCode)
  }
  const tables = orderForRemoval(await tablesOfProjects(tx), await referencesBetweenTables(tx))
  for (const table of tables) {
    removed += await removeRows(tx, scope, table, project.projectCode)
  }
  return removed
}
