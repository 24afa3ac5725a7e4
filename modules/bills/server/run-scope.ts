import type { Day } from '#kit/domain/day.ts'
import { firstDay, type Month } from '#kit/domain/month.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { outOfDomain, type Scope } from '#kit/server/scope.ts'
import { live, code } from '#kit/server/sql.ts'
import { sourceType, poolState } from '#modules/fees/contract/choices.ts'
import {
  needsRoomTotals,
  loadChargeableStandards,
  loadRoomTotals,
  type ChargeableStandard,
  type PlanScope,
  type BillingRelationQuery,
} from '#modules/fees/server/public.ts'
import type { RunRequest } from '../contract/run.ts'
import type { RunContext } from './run-plan.ts'
import { createReadingsLoader } from './run-readings.ts'

/**
 * Standards whose bills a run makes: by cycle, by reading, and shared ones, which only say that their pool is
 * still to come.
 */
const isBillable = (c: ChargeableStandard): boolean => !['imported', 'times'].includes(c.formula.formulaType)

/** What the night bills by itself (GEN-1); shares come from their pools. */
export const isAutoBilled = (c: ChargeableStandard): boolean =>
  c.item.billMode === 'auto' && c.formula.formulaType !== 'share'

export interface PreparedRun {
  readonly run: RunContext
  readonly walk: Omit<BillingRelationQuery, 'after' | 'limit'>
  readonly pools: ReadonlySet<number>
}

/**
 * A run made ready: its standards compiled, its relations as a condition. `before`: relations billed to that
 * day and further are passed over (nightly).
 */
export async function prepareRun(
  db: Db,
  scope: Scope,
  project: string,
  request: Omit<RunRequest, 'projectCode' | 'month'>,
  timing:
    | { readonly month: Month; readonly today: Day }
    | {
        readonly today: Day
        readonly due: (c: ChargeableStandard) => Day | undefined
        readonly only: (c: ChargeableStandard) => boolean
      },
): Promise<PreparedRun> {
  const { ownerId: owner } = scope
  const chargeable = await loadChargeableStandards(db, owner, {
    project,
    ...(request.standardIds?.length ? { ids: request.standardIds.map(Number) } : {}),
  })
  const standards = new Map(
    [...chargeable].filter(([, c]) => isBillable(c) && ('month' in timing || timing.only(c))),
  )
  if (request.standardIds?.length && standards.size === 0)
    return refuse('所选收费标准已删除，或不按周期出账，请重新选择')
  const pools =
    'month' in timing
      ? new Set(
          (
            await db.rows<{ id: number }>(
              sql`
                select distinct standard_id as id
                from share_pool
                where owner_id = ${owner}
                  and project_code = ${project}
                  and month = ${timing.month}
                  and ${live()}
                  and state <> ${code(poolState, 'abolished')}
                  and (total_amount is not null or (total_usage is not null and price is not null))
              `,
            )
          ).map(r => r.id),
        )
      : new Set<number>()
  const excluded = new Set((request.excluded ?? []).map(Number))
  const scoped: PlanScope =
    'month' in timing
      ? { kind: 'month', month: timing.month, today: timing.today, pools }
      : { kind: 'due', today: timing.today }
  return {
    pools,
    run: {
      owner,
      project,
      standards,
      excluded,
      totals: needsRoomTotals(standards.values()) ? await loadRoomTotals(db, owner, project) : undefined,
      scope: scoped,
      readings: createReadingsLoader(owner, scoped, standards),
    },
    walk: {
      project,
      standardIds: [...standards.keys()],
      where: scopeConditions(scope, project, request),
      on: 'month' in timing ? firstDay(timing.month) : undefined,
      ...('month' in timing ? {} : { due: [...standards].map(([id, c]) => [id, timing.due(c)] as const) }),
    },
  }
}

/** The part of an estate that was asked for, inside the caller's data domain. */
function scopeConditions(
  scope: Scope,
  project: string,
  request: Omit<RunRequest, 'projectCode' | 'month'>,
): RawBuilder<any>[] {
  const domain = scope.domain
  const allowedBuildings = domain.all ? null : domain.projects.get(project)
  if (allowedBuildings === undefined) throw outOfDomain()
  return [
    ...(allowedBuildings ? [sql`t.build_code = any(${[...allowedBuildings]})`] : []),
    ...(request.buildCodes?.length ? [sql`t.build_code = any(${[...request.buildCodes]})`] : []),
    ...(request.sourceType ? [sql`t.source_type = ${codeOf(sourceType, request.sourceType)}`] : []),
    ...(request.sourceCodes?.length ? [sql`t.source_code = any(${[...request.sourceCodes]})`] : []),
  ]
}
