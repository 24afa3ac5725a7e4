import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { firstDay, type Month } from '#kit/domain/month.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { outOfDomain, type Scope } from '#kit/server/scope.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import {
  needsRoomTotals,
  loadChargeableStandards,
  loadRoomTotals,
  type ChargeableStandard,
  type PlanScope,
  type BillingRelationQuery,
} from '#modules/fees/server/public.ts'
import { poolState } from '../contract/choices.ts'
import type { RunRequest } from '../contract/run.ts'
import type { RunContext } from './run-plan.ts'
import { hasGap } from './gap-bills.ts'
import { createReadingsLoader } from './run-readings.ts'

/**
 * Standards that a run looks at: charged by period, by reading, and shared ones, for which the run only
 * reports that their pool has not been shared yet.
 */
const isBillable = (c: ChargeableStandard): boolean => !['imported', 'times'].includes(c.formula.formulaType)

/** Standards billed automatically at night (GEN-1); shared costs are billed from their pools. */
export const isAutoBilled = (c: ChargeableStandard): boolean =>
  c.item.billMode === 'auto' && c.formula.formulaType !== 'share'

export interface PreparedRun {
  readonly run: RunContext
  readonly walk: Omit<BillingRelationQuery, 'after' | 'limit'>
  readonly pools: ReadonlySet<Id>
}

/** Bills of one month, or all that is due today; `due` and `only` as the nightly run needs them. */
export type RunTiming =
  | { readonly month: Month; readonly today: Day }
  | {
      readonly today: Day
      /** Relations of the standard that are billed to this day or further are passed over. */
      readonly due: (c: ChargeableStandard) => Day | undefined
      readonly only: (c: ChargeableStandard) => boolean
    }

/** Reads the standards of a run and turns its request into a condition for relations. */
export async function prepareRun(
  db: Db,
  scope: Scope,
  project: string,
  request: Omit<RunRequest, 'projectCode' | 'month'>,
  timing: RunTiming,
): Promise<PreparedRun> {
  const { ownerId } = scope
  const chargeable = await loadChargeableStandards(db, ownerId, {
    project,
    ...(request.standardIds?.length ? { ids: request.standardIds.map(parseId) } : {}),
  })
  const standards = new Map(
    [...chargeable].filter(([, c]) => isBillable(c) && ('month' in timing || timing.only(c))),
  )
  if (request.standardIds?.length && standards.size === 0)
    return refuse('所选收费标准已删除，或不按周期出账，请重新选择')
  const pools = 'month' in timing ? await findMonthPools(db, ownerId, project, timing.month) : new Set<Id>()
  const excluded = new Set((request.excluded ?? []).map(parseId))
  const scoped: PlanScope =
    'month' in timing
      ? {
          kind: 'month',
          month: timing.month,
          today: timing.today,
          pools,
          gaps: request.gaps && new Set(request.gaps),
        }
      : { kind: 'due', today: timing.today }
  return {
    pools,
    run: {
      ownerId,
      project,
      standards,
      excluded,
      totals: needsRoomTotals(standards.values()) ? await loadRoomTotals(db, ownerId, project) : undefined,
      scope: scoped,
      readings: createReadingsLoader(ownerId, scoped, standards),
    },
    walk: {
      project,
      standardIds: [...standards.keys()],
      where: scopeConditions(scope, project, request),
      on: 'month' in timing ? firstDay(timing.month) : undefined,
      withGap: hasGap(ownerId, 'month' in timing ? 'unwaived' : 'rebill'),
      ...('month' in timing ? {} : { due: [...standards].map(([id, c]) => [id, timing.due(c)] as const) }),
    },
  }
}

/** Standards whose shared costs of a month are known and not abolished. */
const findMonthPools = async (
  db: Db,
  ownerId: Id,
  project: string,
  month: Month,
): Promise<ReadonlySet<Id>> => {
  const rows = await db.rows<{ id: Id }>(
    sql`
      select distinct standard_id as id
      from share_pool
      where owner_id = ${ownerId}
        and project_code = ${project}
        and month = ${month}
        and ${notDeleted()}
        and state <> ${code(poolState, 'abolished')}
        and (total_amount is not null or (total_usage is not null and price is not null))
    `,
  )
  return new Set(rows.map(r => r.id))
}

/**
 * The requested part of a project within the caller's data domain. Throws when the domain has no part of it.
 */
function scopeConditions(
  scope: Scope,
  project: string,
  request: Omit<RunRequest, 'projectCode' | 'month'>,
): RawBuilder<unknown>[] {
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
