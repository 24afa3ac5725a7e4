import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { retentionRules } from '#kit/server/personal-data/registry.ts'

/** Amounts in the units of their rules, by the keys of the rules. */
export type Periods = ReadonlyMap<string, number>

interface StoredSetting {
  readonly isOn: boolean
  readonly periods: Readonly<Record<string, number>>
  readonly version: number
}

export interface RetentionSetting {
  /** Off until somebody has looked at the periods: nothing is taken from a company unasked. */
  readonly isOn: boolean
  readonly periods: Periods
  readonly version: number
}

export async function readSetting(db: Db, ownerId: Id): Promise<RetentionSetting> {
  const stored = await db.one<StoredSetting>(sql`
    select is_on, periods, version from retention_setting where owner_id = ${ownerId}
  `)
  return {
    isOn: stored?.isOn ?? false,
    version: stored?.version ?? 0,
    // A rule may have become stricter since.
    periods: new Map(
      retentionRules().map(({ key, initial, min, max }) => [
        key,
        Math.min(max, Math.max(min, stored?.periods[key] ?? initial)),
      ]),
    ),
  }
}

export const readPeriods = async (db: Db, ownerId: Id): Promise<Periods> =>
  (await readSetting(db, ownerId)).periods
