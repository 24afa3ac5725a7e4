import type { ChoiceOf } from '#kit/contract/field.ts'
import type { areaKind, chargeMode, feeType, formulaType, scene } from '#modules/fees/contract/choices.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'

/** A usual charge of a property company: its item, formula and cycle; the price is only proposed. */
export interface FeeTemplate {
  readonly key: string
  readonly name: string
  readonly itemCode: string
  readonly standardCode: string
  readonly feeType: ChoiceOf<typeof feeType>
  readonly category: NonNullable<FeeItem['category']>
  readonly incomeKind: NonNullable<FeeItem['incomeKind']>
  readonly scene: ChoiceOf<typeof scene>
  readonly formulaType: ChoiceOf<typeof formulaType>
  readonly chargeMode: ChoiceOf<typeof chargeMode>
  readonly areaKind?: ChoiceOf<typeof areaKind>
  readonly usageUnit?: string
  /** `元/㎡·月`. */
  readonly unit: string
  readonly price: string
  /** For metered charges bills come with the readings: their cycle is a month. */
  readonly fixedCycle?: boolean
  /** Ticked at first. */
  readonly chosen: boolean
}

export const feeTemplates: readonly FeeTemplate[] = [
  {
    key: 'property',
    name: '物业费',
    itemCode: 'WYF',
    standardCode: 'WY01',
    feeType: 'cyclic',
    category: 'property',
    incomeKind: 'own',
    scene: 'roomShop',
    formulaType: 'area',
    chargeMode: 'ahead',
    areaKind: 'charge',
    unit: '元/㎡·月',
    price: '2.5',
    chosen: true,
  },
  {
    key: 'water',
    name: '水费',
    itemCode: 'SF',
    standardCode: 'SF01',
    feeType: 'metered',
    category: 'water',
    incomeKind: 'agency',
    scene: 'roomShop',
    formulaType: 'usage',
    chargeMode: 'behind',
    usageUnit: '吨',
    unit: '元/吨',
    price: '4.1',
    fixedCycle: true,
    chosen: false,
  },
  {
    key: 'power',
    name: '电费',
    itemCode: 'DF',
    standardCode: 'DF01',
    feeType: 'metered',
    category: 'power',
    incomeKind: 'agency',
    scene: 'roomShop',
    formulaType: 'usage',
    chargeMode: 'behind',
    usageUnit: '度',
    unit: '元/度',
    price: '0.58',
    fixedCycle: true,
    chosen: false,
  },
  {
    key: 'parking',
    name: '车位管理费',
    itemCode: 'CWF',
    standardCode: 'CW01',
    feeType: 'cyclic',
    category: 'parking',
    incomeKind: 'own',
    scene: 'parkPlace',
    formulaType: 'fixed',
    chargeMode: 'ahead',
    unit: '元/个·月',
    price: '80',
    chosen: false,
  },
  {
    key: 'garbage',
    name: '垃圾清运费',
    itemCode: 'LJF',
    standardCode: 'LJ01',
    feeType: 'cyclic',
    category: 'other',
    incomeKind: 'agency',
    scene: 'roomShop',
    formulaType: 'fixed',
    chargeMode: 'ahead',
    unit: '元/户·月',
    price: '8',
    chosen: false,
  },
]

/** How many months one bill covers. */
export const cycleChoices: readonly (readonly [months: number, label: string])[] = [
  [1, '每月'],
  [3, '每季度'],
  [6, '每半年'],
  [12, '每年'],
]

/** 物业费（每季度）: the name of the standard that a template makes. */
export const standardNameOf = (template: FeeTemplate, months: number): string => {
  const cycle = cycleChoices.find(([n]) => n === months)?.[1]
  return template.fixedCycle || !cycle ? template.name : `${template.name}（${cycle}）`
}
