export { assertNoFaults } from './definitions.ts'
export { needsRoomTotals, loadChargeableStandards, type ChargeableStandard } from './chargeable-standards.ts'
export {
  countRelations,
  findNextRelations,
  findRelationsByIds,
  type BillingRelation,
  type BillingRelationQuery,
} from './billing-relations.ts'

export {
  toCompanyPayer,
  findPayerAt,
  toPayer,
  parsePayer,
  mergePayers,
  sourceKey,
  loadSources,
  loadRoomTotals,
  type LocatedSource,
  type Payer,
  type SourceType,
  type SourceRef,
} from './sources.ts'

export { chargingEnd, chargingStart, dueDate } from '../domain/charging.ts'
export { computePeriodBills, computeReadingBill } from '../domain/bill-computation.ts'

export { computeBilledTo, maxPeriods, nextManualBegin, planRelation } from '../domain/plan.ts'
export {
  canOverlap,
  toPlannedLine,
  type BillingPlan,
  type ExistingBill,
  type PlannedGap,
  type PlannedLine,
  type PlannedSkip,
  type PlanScope,
} from '../domain/planned-line.ts'

export { gapKey, resolveFreedPeriods, type FreedPeriod, type PeriodAfter } from '../domain/gaps.ts'
export { explainAmount } from '../domain/amount-explanation.ts'
export { findFactsOn } from '../domain/bill-line.ts'

export {
  computeCorrection,
  poolRefusal,
  computePoolTotal,
  allocatePool,
  type PoolParticipant,
  type Pool,
  type PoolAllocation,
} from '../domain/pool-allocation.ts'

export { countMonths } from '../domain/prorate.ts'
export { versionOn } from '../domain/version.ts'
export { recompute, type Snapshot } from '../domain/snapshot.ts'

export {
  prepareStandard,
  type SourceFacts,
  type PreparedStandard,
  type Reading,
  type Relation,
  type Source,
  type Standard,
} from '../domain/standard.ts'

export { maxBillAmount, completeTemporaryPeriod, temporaryRefusal } from '../domain/temporary-fee.ts'
export { bindMeters, lockMeterRelations, moveMeterRelations, type MeterRef } from './meter-relations.ts'
export {
  registerOutdatedBillCounter,
  registerVersionUsage,
  registerBilledRelations,
  onRelationEnd,
  type EndedRelation,
} from './billing-hooks.ts'
export { advanceBilledTo, recomputeBilledTo } from './billed-to.ts'
export { prepareGeneratedColumnsOnce } from './generated-columns.ts'
export { lockPrices } from './price-lock.ts'
export { assignInvoiceGood } from './invoice-good.ts'
