import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { Month } from '#kit/domain/month.ts'
import type { Period } from '#kit/domain/period.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { meterKind } from '../contract/choices.ts'
import type { Meter } from '../contract/meter.ts'
import { computeWindow } from '../domain/anomaly.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'

interface ActivePlan {
  readonly id: Id
  readonly projectCode: string
  readonly meterKind?: number
  readonly buildCodes?: readonly string[]
  readonly readDay: number
  readonly windowDays: number
  readonly strict: boolean
  readonly beginMonth: Month
  readonly endMonth?: Month
}

export type PlansByProject = ReadonlyMap<string, readonly ActivePlan[]>

/** The enabled plans of projects, strict ones first. */
export async function loadActivePlans(
  db: Db,
  ownerId: Id,
  projects: readonly string[],
): Promise<PlansByProject> {
  if (!projects.length) return new Map()
  return Map.groupBy(
    await db.rows<ActivePlan>(
      sql`
        select id, project_code, meter_kind, build_codes, read_day, window_days, strict, begin_month,
          end_month
        from meter_plan
        where owner_id = ${ownerId} and project_code = any(${[...projects]}) and ${notDeleted()}
          and state = ${code(enabledState, 'on')}
        order by strict desc, id
      `,
    ),
    p => p.projectCode,
  )
}

export const isMeterCovered = (p: ActivePlan, m: Pick<Meter, 'meterKind' | 'buildCode'>): boolean =>
  (p.meterKind === undefined || keyOf(meterKind, p.meterKind) === m.meterKind) &&
  (!p.buildCodes?.length || (m.buildCode !== undefined && p.buildCodes.includes(m.buildCode)))

/** The reading window of a meter in a month; undefined without a plan (MTR-16). */
export function findWindow(
  plans: PlansByProject,
  meter: Pick<Meter, 'projectCode' | 'meterKind' | 'buildCode'>,
  month: Month,
): (Period & { readonly strict: boolean }) | undefined {
  const plan = plans
    .get(meter.projectCode)
    ?.find(
      x =>
        isMeterCovered(x, meter) &&
        x.beginMonth <= month &&
        (x.endMonth === undefined || x.endMonth >= month),
    )
  return plan && { ...computeWindow(month, plan.readDay, plan.windowDays), strict: plan.strict }
}
