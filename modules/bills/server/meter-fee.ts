import { parseId, type Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import type { Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { hasBuilding, outOfDomain } from '#kit/server/scope.ts'
import {
  advanceBilledTo,
  needsRoomTotals,
  loadChargeableStandards,
  findRelationsByIds,
  loadRoomTotals,
  type PlanScope,
} from '#modules/fees/server/public.ts'
import {
  generateMeterBills,
  generateSmartMeterBills,
  type MadeMeterBills,
  type MeterBillScope,
} from '../contract/meter-fee.ts'
import { meterScopeRefusal } from '../domain/meter-scope.ts'
import { planRelations, type RunPlan } from './run-plan.ts'
import { billReadings, findMeteredRelations, createReadingsLoader } from './run-readings.ts'
import { toBillDraft, billedReadingsOf } from './bill-draft.ts'
import { issueBatch } from './issue-batch.ts'

const maxReadings = 5000

type ReadingSource = 'any' | 'smart'

const noReadings: Readonly<Record<ReadingSource, string>> = {
  any: '暂无等待出账的读数：可能已经出账，或仪表尚未在收费关联中绑定收费标准',
  smart: '暂无等待出账的智能表读数：可能已经出账、不是智能表，或仪表尚未在收费关联中绑定收费标准',
}

/** The unbilled readings of a scope and the relations that charge them; refuses an empty scope. */
async function findScopedReadings(
  tx: Tx,
  ownerId: Id,
  requestedScope: MeterBillScope,
  source: ReadingSource,
) {
  const refusal = meterScopeRefusal(requestedScope)
  if (refusal) return refuse(refusal)
  const found = await findMeteredRelations(tx, ownerId, requestedScope.projectCode, {
    readingIds: requestedScope.readingIds?.map(parseId),
    meterIds: requestedScope.meterIds?.map(parseId),
    month: requestedScope.month,
    smartOnly: source === 'smart',
  })
  if (!found.readings.size) return refuse(noReadings[source])
  if (found.readings.size > maxReadings)
    return refuse(
      `一次最多出账 ${maxReadings} 个读数，现有 ${found.readings.size} 个，请按月份或楼栋分开，或用“生成账单”`,
    )
  return found
}

/** Plans the bills of readings as a run of today would. */
async function planReadings(
  { tx, scope, today }: WriteContext,
  project: string,
  found: { readonly relations: readonly Id[]; readonly readings: ReadonlySet<Id> },
): Promise<RunPlan> {
  const ownerId = scope.ownerId
  const billingRelations = await findRelationsByIds(tx, ownerId, found.relations, { lock: true })
  if (
    billingRelations.some(b => b.buildCode !== undefined && !hasBuilding(scope.domain, project, b.buildCode))
  )
    throw outOfDomain()
  const standards = await loadChargeableStandards(tx, ownerId, {
    ids: [...new Set(billingRelations.map(b => b.standardId))],
  })
  const planScope: PlanScope = { kind: 'due', today }
  return planRelations(
    tx,
    {
      ownerId,
      project,
      standards,
      totals: needsRoomTotals(standards.values()) ? await loadRoomTotals(tx, ownerId, project) : undefined,
      excluded: new Set(),
      scope: planScope,
      readings: createReadingsLoader(ownerId, planScope, standards, found.readings),
    },
    billingRelations.filter(b => standards.get(b.standardId)?.prepared.metered),
  )
}

async function billMeters(
  asked: MeterBillScope,
  context: WriteContext,
  source: ReadingSource,
): Promise<MadeMeterBills> {
  const { tx, scope, today } = context
  const { projectCode: project, month } = asked
  const found = await findScopedReadings(tx, scope.ownerId, asked, source)
  const { bills, skipped, advanced } = await planReadings(context, project, found)
  const skippedRows = skipped.map(l => ({
    sourceName: l.billingRelation.sourceName,
    reason: l.skip.reason,
    ...(l.skip.detail ? { detail: l.skip.detail } : {}),
  }))
  if (!bills.length) return { count: 0, amount: asFen(0), skipped: skippedRows }
  const batch = await issueBatch(
    tx,
    scope,
    { project, source: 'metered' },
    'metered',
    bills.map(d => toBillDraft(d, '')),
    today,
    month ? { month } : {},
  )
  await billReadings(tx, scope, billedReadingsOf(bills, batch.nos, batch.byNo))
  await advanceBilledTo(tx, scope.ownerId, advanced)
  return { batchNo: batch.batchNo, count: batch.count, amount: batch.amount, skipped: skippedRows }
}

export const meterFeeHandlers = [
  writes(generateMeterBills, (asked, context) => billMeters(asked, context, 'any')),
  writes(generateSmartMeterBills, (asked, context) => billMeters(asked, context, 'smart')),
]
