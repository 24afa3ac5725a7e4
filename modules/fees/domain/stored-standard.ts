import { formatYuan } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import type { FeeFormula } from '../contract/formula.ts'
import type { FeeItem } from '../contract/item.ts'
import type { FeeStandard, StandardVersion } from '../contract/standard.ts'
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
export const toPriceVersion = (v: StoredVersion): PriceVersion => ({
  id: v.id,
  from: v.effectiveDate,
  to: v.endDate,
  price: v.price,
  extra: v.extra === undefined ? undefined : formatYuan(v.extra),
  extraProrate: v.extraProrate,
  params: v.params && Object.fromEntries(v.params.map(p => [p.name, p.value])),
  tiers: v.tiers,
  tierBase: v.tierBase,
  perHeadAdd: v.perHeadAdd,
  headsFrom: v.headsFrom,
})

type StoredStandard = Omit<FeeStandard, 'code' | 'name' | 'projectCode' | 'state' | 'feeType'>

/**
 * A stored standard with its item, formula and prices (by day, rising) as the engine reads it. `isWorkday`:
 * asked only where due days skip days off.
 */
export const toStandard = (
  standard: StoredStandard,
  item: Pick<FeeItem, 'feeType' | 'allowMulti'>,
  f: Pick<FeeFormula, 'formulaType' | 'expression' | 'parameters'>,
  versions: readonly StoredVersion[],
  isWorkday?: (d: Day) => boolean,
): Standard => ({
  id: standard.id,
  feeType: item.feeType,
  allowMulti: item.allowMulti,
  formulaType: f.formulaType,
  expression: f.expression,
  parameters: f.parameters?.map(p => p.name),
  areaKind: standard.areaKind,
  quantityKind: standard.quantityKind,
  usageUnit: standard.usageUnit,
  cycle: {
    type: standard.cycleType,
    months: standard.cycleMonths as Standard['cycle']['months'],
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
  least: standard.minAmount,
  most: standard.maxAmount,
  end: standard.endDate,
  versions: versions.map(toPriceVersion),
  tiersStretch: standard.tiersStretch,
})
