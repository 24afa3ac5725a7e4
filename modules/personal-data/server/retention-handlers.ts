import { labelOf } from '#kit/contract/field.ts'
import { periodUnit } from '#kit/contract/period-unit.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { invalidInput, staleVersion } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { RetentionRule } from '#kit/server/personal-data/declaration.ts'
import { retentionRules } from '#kit/server/personal-data/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import { getRetention, previewRetention, saveRetention } from '../contract/retention.ts'
import { nextRun, periodFault } from '../domain/retention.ts'
import { requireWholeDomain } from './access.ts'
import { countDue, firstKeptDay } from './retention.ts'
import { readSetting, type Periods } from './retention-setting.ts'

interface PeriodInput {
  readonly key: string
  readonly amount: number
}

interface LastRun {
  readonly ruleKey: string
  readonly runDay: Day
  readonly rowCount: number
}

const lastRuns = (db: Db, ownerId: number): Promise<LastRun[]> =>
  db.rows(sql`
    select distinct on (rule_key) rule_key, run_day, row_count
    from retention_run
    where owner_id = ${ownerId}
    order by rule_key, run_day desc
  `)

async function shownSetting(db: Db, { ownerId }: Scope, now: Moment) {
  const { isOn, periods, replaced, version, lastRun } = await readSetting(db, ownerId)
  const runs = new Map((await lastRuns(db, ownerId)).map(run => [run.ruleKey, run]))
  return {
    isOn,
    version,
    ...(lastRun ? { lastRunTime: lastRun.time, lastRunCount: lastRun.count } : {}),
    ...(isOn ? { nextRunTime: nextRun(now) } : {}),
    rules: retentionRules().map(
      ({ key, label, content, basis, unit, initial, min, max, steps, always, setIn }) => {
        const run = runs.get(key)
        return {
          key,
          label,
          content,
          basis,
          unit,
          initial,
          min,
          max,
          amount: periods.get(key) ?? initial,
          isAutomatic: steps.length > 0,
          isAlways: always !== undefined,
          ...(setIn ? { setTitle: setIn.title, setPath: setIn.path } : {}),
          ...(replaced.has(key) ? { replaced: replaced.get(key) } : {}),
          ...(run ? { lastDay: run.runDay, lastCount: run.rowCount } : {}),
        }
      },
    ),
  }
}

const faultOf = (rule: RetentionRule, amount: number): string | undefined =>
  rule.setIn
    ? `「${rule.label}」由各项目设置，请在「${rule.setIn.title}」修改`
    : periodFault(amount, rule, labelOf(periodUnit, rule.unit))

/** The periods as they would be; refuses those of which no rule is known or that the law does not allow. */
function withPeriods(stored: Periods, input: readonly PeriodInput[]): Periods {
  const faults = input.flatMap(({ key, amount }, i) => {
    const rule = retentionRules().find(each => each.key === key)
    if (input.findIndex(each => each.key === key) < i)
      return [{ Field: `Periods[${i}].RuleKey`, Message: `「${rule?.label ?? key}」重复` }]
    const fault = rule ? faultOf(rule, amount) : '没有这种保存期限'
    return fault === undefined ? [] : [{ Field: `Periods[${i}].Amount`, Message: fault }]
  })
  if (faults.length) throw invalidInput(faults)
  return new Map([...stored, ...input.map(({ key, amount }) => [key, amount] as const)])
}

export const retentionHandlers = [
  reads(getRetention, (_, { db, scope, now }) => shownSetting(db, scope, now)),

  writes(saveRetention, async ({ isOn, periods, version }, { tx, scope, now }) => {
    requireWholeDomain(scope)
    const { ownerId } = scope
    const before = await readSetting(tx, ownerId)
    if (before.version !== version) throw staleVersion()
    const after = withPeriods(before.periods, periods ?? [])
    const saved = await tx.execute(sql`
      insert into retention_setting as s (owner_id, is_on, periods, version, update_time, update_by)
      values (
        ${ownerId}, ${isOn}, ${JSON.stringify(Object.fromEntries(after))}::jsonb, ${version + 1},
        ${scope.time}::timestamptz, ${scope.operatorId}
      )
      on conflict (owner_id) do update
      set is_on = excluded.is_on, periods = excluded.periods, version = excluded.version,
        update_time = excluded.update_time, update_by = excluded.update_by
      where s.version = excluded.version - 1
    `)
    if (!saved) throw staleVersion()
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'retentionSetting',
        entityId: ownerId,
        before: { isOn: before.isOn, ...Object.fromEntries(before.periods) },
        after: { isOn, ...Object.fromEntries(after) },
      },
    ])
    return shownSetting(tx, scope, now)
  }),

  reads(previewRetention, async ({ periods }, { db, scope, today }) => {
    requireWholeDomain(scope)
    const { ownerId } = scope
    const whole = withPeriods((await readSetting(db, ownerId)).periods, periods ?? [])
    const rows = []
    for (const rule of retentionRules().filter(each => each.steps.length)) {
      const before = firstKeptDay(rule, whole, today)
      rows.push({ key: rule.key, before, count: await countDue(db, rule, { ownerId, day: before, today }) })
    }
    return rows
  }),
]
