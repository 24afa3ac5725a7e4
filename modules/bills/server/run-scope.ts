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
  asked: Omit<RunRequest, 'projectCode' | 'month'>,
  at:
    | { readonly month: Month; readonly today: Day }
    | {
        readonly today: Day
        readonly due: (c: ChargeableStandard) => Day | undefined
        readonly only: (c: ChargeableStandard) => boolean
      },
): Promise<PreparedRun> {
  const { ownerId: owner } = scope
  const all = await loadChargeableStandards(db, owner, {
    project,
    ...(asked.standardIds?.length ? { ids: asked.standardIds.map(Number) } : {}),
  })
  const standards = new Map([...all].filter(([, c]) => isBillable(c) && ('month' in at || at.only(c))))
  if (asked.standardIds?.length && standards.size === 0)
    return refuse('所选收费标准已删除，或不按周期出账，请重新选择')
  const pools =
    'month' in at
      ? new Set(
          (
            await db.rows<{ id: number }>(
              sql`
                select distinct standard_id as id
                from share_pool
                where owner_id = ${owner}
                  and project_code = ${project}
                  and month = ${at.month}
                  and ${live()}
                  and state <> ${code(poolState, 'abolished')}
                  and (total_amount is not null or (total_usage is not null and price is not null))
              `,
            )
          ).map(r => r.id),
        )
      : new Set<number>()
  const excluded = new Set((asked.excluded ?? []).map(Number))
  const scoped: PlanScope =
    'month' in at
      ? { kind: 'month', month: at.month, today: at.today, pools }
      : { kind: 'due', today: at.today }
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
      where: scopeConditions(scope, project, asked),
      on: 'month' in at ? firstDay(at.month) : undefined,
      ...('month' in at ? {} : { due: [...standards].map(([id, c]) => [id, at.due(c)] as const) }),
    },
  }
}

/** The part of an estate that was asked for, inside the caller's data domain. */
function scopeConditions(
  scope: Scope,
  project: string,
  asked: Omit<RunRequest, 'projectCode' | 'month'>,
): RawBuilder<any>[] {
  const d = scope.domain
  const mine = d.all ? null : d.projects.get(project)
  if (mine === undefined) throw outOfDomain()
  return [
    ...(mine ? [sql`t.build_code = any(${[...mine]})`] : []),
    ...(asked.buildCodes?.length ? [sql`t.build_code = any(${[...asked.buildCodes]})`] : []),
    ...(asked.sourceType ? [sql`t.source_type = ${codeOf(sourceType, asked.sourceType)}`] : []),
    ...(asked.sourceCodes?.length ? [sql`t.source_code = any(${[...asked.sourceCodes]})`] : []),
  ]
}
