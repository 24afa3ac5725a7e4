import type { Moment } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { RetentionRule } from '#kit/server/personal-data/declaration.ts'
import { retentionRules } from '#kit/server/personal-data/registry.ts'

/** Amounts in the units of their rules, by the keys of the rules. */
export type Periods = ReadonlyMap<string, number>

interface StoredSetting {
  readonly isOn: boolean
  readonly periods: Readonly<Record<string, number>>
  readonly version: number
  readonly lastRunTime?: Moment
  readonly lastRunCount?: number
}

export interface RetentionSetting {
  /** Off until somebody has looked at the periods: nothing is taken from a company unasked. */
  readonly isOn: boolean
  readonly periods: Periods
  /** What was set beyond bounds that have changed since. */
  readonly replaced: Periods
  readonly version: number
  readonly lastRun?: { readonly time: Moment; readonly count: number }
}

const withinBounds = ({ min, max }: RetentionRule, amount: number): number =>
  Math.min(max, Math.max(min, amount))

export async function readSetting(db: Db, ownerId: Id): Promise<RetentionSetting> {
  const stored = await db.one<StoredSetting>(sql`
    select is_on, periods, version, last_run_time, last_run_count
    from retention_setting
    where owner_id = ${ownerId}
  `)
  return {
    isOn: stored?.isOn ?? false,
    version: stored?.version ?? 0,
    // A rule may have become stricter since.
    periods: new Map(
      retentionRules().map(rule => [rule.key, withinBounds(rule, stored?.periods[rule.key] ?? rule.initial)]),
    ),
    replaced: new Map(
      retentionRules().flatMap(rule => {
        const set = stored?.periods[rule.key]
        return set === undefined || set === withinBounds(rule, set) ? [] : [[rule.key, set] as const]
      }),
    ),
    ...(stored?.lastRunTime === undefined
      ? {}
      : { lastRun: { time: stored.lastRunTime, count: stored.lastRunCount ?? 0 } }),
  }
}

export const readPeriods = async (db: Db, ownerId: Id): Promise<Periods> =>
  (await readSetting(db, ownerId)).periods
