import { defined } from '#kit/domain/defined.ts'
import { formatYuan } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import type { FeeFormula } from '../contract/formula.ts'
import type { FeeItem } from '../contract/item.ts'
import { feeStandard, type FeeStandard, type StandardVersion } from '../contract/standard.ts'
import type { Standard } from './standard.ts'
import type { PriceVersion } from './version.ts'

type StoredVersion = Pick<
  StandardVersion,
  | 'id'
  | 'effectiveDate'
  | 'endDate'
  | 'price'
  | 'extra'
  | 'params'
  | 'tiers'
  | 'tierBase'
  | 'perHeadAdd'
  | 'headsFrom'
> & { readonly extraProrate?: boolean | undefined }

/** A stored price as the engine reads it. */
export const toPriceVersion = (version: StoredVersion): PriceVersion => ({
  id: version.id,
  from: version.effectiveDate,
  to: version.endDate,
  price: version.price,
  extra: version.extra === undefined ? undefined : formatYuan(version.extra),
  extraProrate: version.extraProrate,
  params: version.params && Object.fromEntries(version.params.map(p => [p.name, p.value])),
  tiers: version.tiers,
  tierBase: version.tierBase,
  perHeadAdd: version.perHeadAdd,
  headsFrom: version.headsFrom,
})

/** What decides the amounts and days of a standard, besides its item, its formula and its prices. */
export type StoredStandard = Pick<
  FeeStandard,
  | 'id'
  | 'areaKind'
  | 'quantityKind'
  | 'usageUnit'
  | 'cycleType'
  | 'cycleMonths'
  | 'alignYear'
  | 'chargeMode'
  | 'advanceDays'
  | 'delayDays'
  | 'startRule'
  | 'prorateMode'
  | 'dueBase'
  | 'dueDays'
  | 'dueSkipHoliday'
  | 'roundType'
  | 'roundUnit'
  | 'minAmount'
  | 'maxAmount'
  | 'endDate'
  | 'tiersStretch'
>

/**
 * A stored standard with its item, formula and prices (by day, rising) as the engine reads it. `isWorkday`:
 * asked only where due days skip days off.
 */
export const toStandard = (
  standard: StoredStandard,
  item: Pick<FeeItem, 'feeType' | 'allowMulti'>,
  formula: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
  versions: readonly StoredVersion[],
  isWorkday?: (d: Day) => boolean,
): Standard => ({
  id: standard.id,
  feeType: item.feeType,
  allowMulti: item.allowMulti,
  formulaType: formula.formulaType,
  expression: formula.expression,
  parameters: formula.parameters?.map(p => p.name),
  areaKind: standard.areaKind,
  quantityKind: standard.quantityKind,
  usageUnit: standard.usageUnit,
  cycle: {
    type: standard.cycleType,
    months: standard.cycleMonths,
    alignYear: standard.alignYear,
  },
  timing: { mode: standard.chargeMode, advanceDays: standard.advanceDays, delayDays: standard.delayDays },
  startRule: standard.startRule,
  mode: standard.prorateMode,
  due: {
    base: standard.dueBase,
    days: standard.dueDays,
    isWorkday: standard.dueSkipHoliday ? isWorkday : undefined,
  },
  rounding: { type: standard.roundType, unit: standard.roundUnit },
  min: standard.minAmount,
  max: standard.maxAmount,
  end: standard.endDate,
  versions: versions.map(toPriceVersion),
  tiersStretch: standard.tiersStretch,
})

const { fields } = feeStandard

/** A standard before it is stored: what its form leaves out has the start values of a new standard. */
export const draftStandard = (draft: Partial<StoredStandard>): StoredStandard => ({
  id: 0,
  cycleType: defined(fields.cycleType.initial),
  cycleMonths: defined(fields.cycleMonths.initial),
  alignYear: defined(fields.alignYear.initial),
  chargeMode: defined(fields.chargeMode.initial),
  startRule: defined(fields.startRule.initial),
  prorateMode: defined(fields.prorateMode.initial),
  advanceDays: defined(fields.advanceDays.initial),
  delayDays: defined(fields.delayDays.initial),
  dueBase: defined(fields.dueBase.initial),
  dueDays: defined(fields.dueDays.initial),
  dueSkipHoliday: defined(fields.dueSkipHoliday.initial),
  roundType: defined(fields.roundType.initial),
  roundUnit: defined(fields.roundUnit.initial),
  tiersStretch: defined(fields.tiersStretch.initial),
  ...draft,
})
