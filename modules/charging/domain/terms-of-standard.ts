import { displayYuan } from '#kit/domain/money.ts'
import { labelOf } from '#kit/contract/field.ts'
import { chargeMode } from '../contract/choices.ts'
import type { ChargerStandard } from '../contract/standard.ts'
import { hasIdleFee } from './charge-fee.ts'
import type { ChargeTerms } from './terms.ts'

export type StandardPrices = Pick<
  ChargerStandard,
  | 'chargeMode'
  | 'periods'
  | 'servicePrice'
  | 'powerBands'
  | 'packages'
  | 'minFee'
  | 'maxHours'
  | 'idlePrice'
  | 'graceMinutes'
>

/** A standard as orders keep it. */
export const termsOfStandard = (standard: StandardPrices): ChargeTerms => ({
  mode: standard.chargeMode,
  periods: standard.periods ?? [],
  servicePrice: standard.servicePrice ?? '0',
  powerBands: standard.powerBands ?? [],
  packages: standard.packages ?? [],
  minFee: standard.minFee,
  maxHours: standard.maxHours,
  idlePrice: standard.idlePrice ?? '0',
  graceMinutes: standard.graceMinutes,
})

const plainPrice = (price: string): string => String(Number(price))

function modePrices(terms: ChargeTerms): string[] {
  const service = plainPrice(terms.servicePrice)
  switch (terms.mode) {
    case 'energy':
      return [
        ...terms.periods.map(({ begin, end, price }) => `${begin}–${end} 电费 ${plainPrice(price)} 元/度`),
        ...(service === '0' ? [] : [`服务费 ${service} 元/度`]),
      ]
    case 'duration':
      return terms.powerBands.map(({ maxWatts, price }) => `${maxWatts} 瓦以内 ${plainPrice(price)} 元/小时`)
    case 'package':
      return terms.packages.map(({ hours, price }) => `${hours} 小时 ${displayYuan(price)} 元`)
  }
}

/** What charging costs, line by line, as the payer reads it. */
export const priceLines = (terms: ChargeTerms): string[] => [
  ...modePrices(terms),
  ...(terms.minFee > 0 ? [`最低消费 ${displayYuan(terms.minFee)} 元`] : []),
  `最长 ${terms.maxHours} 小时`,
  ...(hasIdleFee(terms)
    ? [`充电结束 ${terms.graceMinutes} 分钟后，占位费 ${plainPrice(terms.idlePrice)} 元/小时`]
    : []),
]

export const standardSummary = (standard: StandardPrices): string =>
  `${labelOf(chargeMode, standard.chargeMode)}：${modePrices(termsOfStandard(standard)).join('；')}`
