import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant, startOfDay, toInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Database, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import type { RetentionRule, RetentionStep } from '#kit/server/personal-data/declaration.ts'
import { retentionRules } from '#kit/server/personal-data/registry.ts'
import { clockScope } from '#kit/server/scope.ts'
import { nightlyRun, retentionStart } from '../domain/retention.ts'
import { readDeclaredTables } from './declared-tables.ts'
import { clearedValue } from './column-values.ts'
import { discardUnused, readFileKeys } from './file-keys.ts'
import { clearHistory, emptyHistory } from './history.ts'
import { copyJournal } from './journal-copy.ts'
import { rebuildSearchTexts } from './search-texts.ts'
import { releaseDueHolds } from './holds.ts'
import { readSetting, type Periods } from './retention-setting.ts'
import type { DeclaredTable } from './table-statements.ts'

type Sql = RawBuilder<unknown>

const batchSize = 1000

/** The first day that is kept: what ended before it is due. */
export const firstKeptDay = (rule: RetentionRule, periods: Periods, today: Day): Day =>
  retentionStart(today, { unit: rule.unit, amount: periods.get(rule.key) ?? rule.initial })

const beforeOf = (day: Day): Date => new Date(toInstant(startOfDay(day)))

/** What a run takes of one rule: of which company, before which day. */
interface DueDays {
  readonly ownerId: Id
  readonly day: Day
  readonly today: Day
}

const dueRows = (step: RetentionStep, { ownerId, day, today }: DueDays): Sql => {
  const due = step.due({ ownerId, before: beforeOf(day), dayBegin: beforeOf(today) })
  return sql`t.owner_id = ${ownerId} and (${due})`
}

/** How many rows a rule would take now. */
export async function countDue(db: Db, rule: RetentionRule, days: DueDays): Promise<number> {
  if (!rule.steps.length) return 0
  const counts = rule.steps.map(
    step => sql`(select count(*) from ${sql.table(step.table)} t where ${dueRows(step, days)})`,
  )
  const row = await db.one<{ count: number }>(sql`select (${sql.join(counts, sql` + `)})::int as count`)
  return defined(row).count
}

function requireTable(tables: readonly DeclaredTable[], { table }: RetentionStep): DeclaredTable {
  const found = tables.find(each => each.name === table)
  if (!found) throw new Error(`${table}: a retention step of a table that declares no personal data`)
  return found
}

/** A name is needed no more than the rest: it is emptied, not replaced. */
function assignmentsOf(
  { declared, stored }: DeclaredTable,
  { clears = [], sets }: RetentionStep,
  time: Date,
) {
  const set = sets?.({ time }) ?? {}
  const cleared = clears.flatMap(name => {
    const [role, storedColumn] = [declared.columns[name], stored.columns.get(name)]
    const value = role && storedColumn && clearedValue(role, storedColumn)
    return value && !(name in set) ? [sql`${sql.id(name)} = ${value}`] : []
  })
  return [...cleared, ...Object.entries(set).map(([name, value]) => sql`${sql.id(name)} = ${value}`)]
}

/** Nothing of what went is left in the history of the rows. */
async function clearLoggedValues(
  tx: Tx,
  ownerId: Id,
  { table, clears, emptiesHistory }: RetentionStep,
  tables: readonly DeclaredTable[],
  ids: readonly string[],
): Promise<void> {
  if (clears && !emptiesHistory) return clearHistory(tx, ownerId, tables, table, ids, clears)
  return emptyHistory(tx, ownerId, tables, table, ids)
}

/** Takes one batch of due rows; returns how many it took. */
async function takeBatch(
  { tx, app, ...days }: DueDays & { readonly tx: Tx; readonly app: App },
  step: RetentionStep,
  tables: readonly DeclaredTable[],
): Promise<number> {
  const { ownerId } = days
  const table = requireTable(tables, step)
  const key = table.stored.key.map(name => sql`t.${sql.id(name)}`)
  const due = await tx.rows<Record<string, string>>(sql`
    select ${sql.join(table.stored.key.map(name => sql`t.${sql.id(name)}::text as ${sql.id(name)}`))}
    from ${sql.table(table.name)} t
    where ${dueRows(step, days)}
    limit ${batchSize}
    for update of t skip locked
  `)
  if (!due.length) return 0
  // Rows come with camelCase keys in the order of the statement.
  const columns = table.stored.key.map((name, i) => {
    const values = due.map(row => defined(Object.values(row)[i]))
    return sql`${values}::text[]::${sql.raw(defined(table.stored.columns.get(name)).type)}[]`
  })
  const chosen = sql`t.owner_id = ${ownerId} and (${sql.join(key)}) in (select * from unnest(${sql.join(columns)}))`
  const holding = step.clears ?? Object.keys(table.declared.columns)
  const files = await readFileKeys(tx, table, holding, chosen, ['files', 'keptFiles', 'bulkFiles'])
  const ids = table.stored.key.join() === 'id' ? due.map(row => defined(Object.values(row)[0])) : []
  if (ids.length) {
    await clearLoggedValues(tx, ownerId, step, tables, ids)
  }
  const taken = step.clears
    ? await tx.execute(sql`
        update ${sql.table(table.name)} t
        set ${sql.join(assignmentsOf(table, step, new Date(app.clock())))}
        where ${chosen}
      `)
    : await tx.execute(sql`delete from ${sql.table(table.name)} t where ${chosen}`)
  if (step.clears && table.declared.searchText) {
    await rebuildSearchTexts(tx, table, ownerId, ids)
  }
  await discardUnused(tx, app, ownerId, files)
  return taken
}

/** The count of the run and its audit row stand and fall with the batch: a kill loses neither. */
async function recordBatch(
  tx: Tx,
  app: App,
  ownerId: Id,
  rule: RetentionRule,
  runDay: Day,
  count: number,
): Promise<void> {
  const scope = clockScope(app, ownerId)
  await tx.execute(sql`
    insert into retention_run (owner_id, rule_key, run_day, row_count, last_time)
    values (${ownerId}, ${rule.key}, ${runDay}, ${count}, ${scope.time}::timestamptz)
    on conflict (owner_id, rule_key, run_day) do update
    set row_count = retention_run.row_count + excluded.row_count, last_time = excluded.last_time
  `)
  await audit(tx, scope, [
    {
      action: 'purge',
      entity: 'retentionSetting',
      entityId: ownerId,
      reason: `「${rule.label}」超过保存期限，清除 ${count} 行`,
    },
  ])
}

async function takeDueRows(app: App, ownerId: Id, signal?: AbortSignal): Promise<number> {
  const database: Database = app.database
  const today = dayOfInstant(app.clock())
  const setting = await readSetting(database.reader(ownerId), ownerId)
  let total = await releaseDueHolds(database, ownerId, today, new Date(app.clock()).toISOString())
  const tables = await readDeclaredTables(database.reader(ownerId))
  for (const rule of retentionRules().filter(each => setting.isOn || each.always)) {
    const day = firstKeptDay(rule, setting.periods, today)
    for (const step of rule.steps) {
      for (;;) {
        if (signal?.aborted) return total
        const count = await database.tx(ownerId, async tx => {
          const taken = await takeBatch({ tx, app, ownerId, day, today }, step, tables)
          if (taken) {
            await recordBatch(tx, app, ownerId, rule, today, taken)
          }
          return taken
        })
        total += count
        if (count < batchSize) break
      }
    }
  }
  return total
}

/** One company: rule by rule, batch by batch, each in a transaction of its own. */
export async function runRetention(app: App, ownerId: Id, signal?: AbortSignal): Promise<number> {
  const count = await takeDueRows(app, ownerId, signal)
  if (signal?.aborted) return count
  await app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update retention_setting
      set last_run_time = ${new Date(app.clock())}, last_run_count = ${count}
      where owner_id = ${ownerId}
    `),
  )
  return count
}

export const retentionCron = defineCron({
  name: 'retention',
  schedule: nightlyRun.cron,
  run: async (app, signal) => {
    await copyJournal(app)
    // Every company that has switched it on, whether anything is due or not: the screen shows that it ran.
    const due = await listDueCompanies(
      app.database,
      sql`
        select owner_id from retention_setting where is_on
        union
        select owner_id from personal_data_hold where release_time is null
        ${sql.join(
          retentionRules().flatMap(({ always }) => (always ? [sql`union ${always}`] : [])),
          sql` `,
        )}
      `,
    )
    await forEachCompany(due, ownerId => runRetention(app, ownerId, signal), signal)
  },
})
