export { sound } from './defined.ts'
export { asksTotals, chargedStandards, type Charged } from './load.ts'
export { countRelations, nextRelations, relationsById, type Bound, type Walk } from './relations.ts'

export {
  companyPayer,
  payerAt,
  payerFrom,
  payerSideOf,
  payersWith,
  sourceKey,
  sourcesOf,
  totalsOf,
  type Located,
  type Payer,
  type SourceType,
  type Wanted,
} from './sources.ts'

export { chargingEnd, chargingStart, dueDate } from '../domain/charging.ts'
export { drawPeriod, drawReading } from '../domain/draw.ts'

export {
  billedToOf,
  lineFrom,
  mayOverlap,
  mostPeriods,
  nextBegin,
  plan,
  tally,
  type Line,
  type Plan,
  type Scope as PlanScope,
  type Skip,
  type Standing,
} from '../domain/plan.ts'

export { sentence } from '../domain/sentence.ts'
export { factsOn } from '../domain/line.ts'

export {
  correction,
  poolRefusal,
  poolTotal,
  sharePool,
  type Participant,
  type Pool,
  type Sharing,
} from '../domain/share.ts'

export { recompute, type Snapshot } from '../domain/snapshot.ts'

export {
  prepare,
  type Facts,
  type Prepared,
  type Reading,
  type Relation,
  type Source,
  type Standard,
} from '../domain/standard.ts'

export { largestBill, prepayRefusal, temporaryPeriod, temporaryRefusal } from '../domain/temporary.ts'
export { bindMeters, holdOfMeters, meterReplaced, type MeterOf } from './of-meters.ts'
export { oldPrices, pricesUsed, relationsWithBills, whenEnding, type Ending } from './ending.ts'
export { holdPrices } from './hold.ts'
export { goodOfItems } from './invoice-good.ts'
