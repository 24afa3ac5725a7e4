import type { FeeFormula } from '#modules/fees/contract/formula.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import type { FeeStandard, StandardVersion } from '#modules/fees/contract/standard.ts'

type Item = Partial<FeeItem> & Pick<FeeItem, 'code' | 'name' | 'feeType'>

const item = (
  code: string,
  name: string,
  feeType: FeeItem['feeType'],
  overrides: Partial<FeeItem> = {},
): Item => ({
  category: 'other',
  incomeKind: 'own',
  inRate: true,
  billMode: 'auto',
  scene: 'roomShop',
  allowMulti: false,
  allowOnline: true,
  autoDeduct: true,
  principalSettles: false,
  lateFeeSwitch: false,
  state: 'on',
  ...overrides,
  code,
  name,
  feeType,
})

const lateFeeTerms: Partial<FeeItem> = {
  lateFeeSwitch: true,
  lateRates: [{ rate: '0.0005' }],
  graceDays: 15,
  graceMode: 'all',
  lateFeeCapMode: 'rate',
  lateFeeCapValue: '1',
}

const manualBilling: Partial<FeeItem> = { billMode: 'manual', inRate: false, autoDeduct: false }

/** What a company charges for. */
export const items: readonly Item[] = [
  item('WYF', '物业费', 'cyclic', { category: 'property', taxRate: '0.06', sort: 10, ...lateFeeTerms }),
  item('SF', '水费', 'metered', { category: 'water', incomeKind: 'agency', sort: 20 }),
  item('DF', '电费', 'metered', { category: 'power', incomeKind: 'agency', sort: 30 }),
  item('GTDF', '公摊电费', 'shared', { category: 'power', incomeKind: 'agency', sort: 35 }),
  item('CWF', '车位管理费', 'cyclic', {
    category: 'parking',
    scene: 'parkPlace',
    taxRate: '0.06',
    sort: 40,
    ...lateFeeTerms,
  }),
  item('LJF', '垃圾清运费', 'cyclic', { incomeKind: 'agency', sort: 50 }),
  item('DTF', '电梯运行费', 'cyclic', { category: 'property', sort: 55 }),
  item('CDF', '公区场地费', 'cyclic', { category: 'rent', scene: 'area', taxRate: '0.09', sort: 60 }),
  item('ZXYJ', '装修押金', 'deposit', { ...manualBilling, sort: 70 }),
  item('ZXQY', '装修垃圾清运费', 'temporary', { ...manualBilling, sort: 80 }),
  item('WXF', '有偿维修费', 'temporary', { ...manualBilling, category: 'repair', taxRate: '0.06', sort: 90 }),
  item('CRZ', '出入证工本费', 'temporary', { ...manualBilling, sort: 95 }),
]

type Formula = Pick<FeeFormula, 'name' | 'expression' | 'parameters' | 'tests' | 'remark'>

/** Formulas of its own, beside the built-in ones. */
export const formulas: readonly Formula[] = [
  {
    name: '电梯费按楼层',
    expression: 'IF(楼层 <= 1, 0, MIN(70, 30 + (楼层 - 2) × 5))',
    tests: [{ name: '楼层', value: '8' }],
    remark: '一层不收，二层起 30 元，每层加 5 元，最高 70 元',
  },
  {
    name: '车位费按类型',
    expression: '单价 × MAX(1, 系数)',
    tests: [
      { name: '单价', value: '60' },
      { name: '系数', value: '1' },
    ],
    remark: '子母车位系数 2',
  },
]

type VersionPrice = Partial<StandardVersion>

interface StandardPlan {
  readonly code: string
  readonly name: string
  readonly item: string
  readonly formula: string
  readonly prices: readonly VersionPrice[]
  readonly overrides?: Partial<FeeStandard>
}

const since = '2000-01-01'

const propertyFee = (
  code: string,
  name: string,
  prices: readonly VersionPrice[],
  overrides: Partial<FeeStandard> = {},
): StandardPlan => ({
  code,
  name,
  item: 'WYF',
  formula: '面积×单价',
  prices,
  overrides: { areaKind: 'build', ...overrides },
})

const utilityPlans = (level: 'home' | 'trade'): readonly StandardPlan[] => [
  {
    code: 'SF01',
    name: level === 'home' ? '居民生活用水' : '经营用水',
    item: 'SF',
    formula: level === 'home' ? '仪表阶梯' : '仪表用量×单价',
    overrides: { usageUnit: '吨', chargeMode: 'behind' },
    prices: [
      level === 'home'
        ? {
            effectiveDate: since,
            tierBase: 'year',
            tiers: [{ to: '216', price: '2.8' }, { to: '300', price: '4.2' }, { price: '8.4' }],
          }
        : { effectiveDate: since, price: '5.1' },
    ],
  },
  {
    code: 'DF01',
    name: level === 'home' ? '居民用电' : '经营用电',
    item: 'DF',
    formula: '仪表用量×单价',
    overrides: { usageUnit: '度', chargeMode: 'behind' },
    prices: [{ effectiveDate: since, price: level === 'home' ? '0.5469' : '0.9235' }],
  },
  {
    code: 'GT01',
    name: '公共照明与电梯用电',
    item: 'GTDF',
    formula: '公摊',
    overrides: { chargeMode: 'behind' },
    prices: [{ effectiveDate: since }],
  },
  {
    code: 'ZX01',
    name: level === 'home' ? '装修押金（住宅）' : '装修押金（商户）',
    item: 'ZXYJ',
    formula: '固定金额',
    overrides: { cycleType: 'once' },
    prices: [{ effectiveDate: since, price: level === 'home' ? '3000' : '10000' }],
  },
]

const parkingFee = (price: string, before?: string): StandardPlan => ({
  code: 'CW01',
  name: '地下车位管理费',
  item: 'CWF',
  formula: '固定金额',
  overrides: { dueDays: 10 },
  prices: before
    ? [
        { effectiveDate: since, endDate: '2023-12-31', price: before },
        { effectiveDate: '2024-01-01', price, reason: '政府指导价调整' },
      ]
    : [{ effectiveDate: since, price }],
})

const refuseFee = (price: string): StandardPlan => ({
  code: 'LJ01',
  name: '垃圾清运费',
  item: 'LJF',
  formula: '固定金额',
  prices: [{ effectiveDate: since, price }],
})

const siteFee = (price: string): StandardPlan => ({
  code: 'CD01',
  name: '公区场地与广告位',
  item: 'CDF',
  formula: '面积×单价',
  overrides: { areaKind: 'build', cycleMonths: 3 },
  prices: [{ effectiveDate: since, price }],
})

/** What each kind of project charges by. */
export const plans: Readonly<Record<'housing' | 'office' | 'mall', readonly StandardPlan[]>> = {
  housing: [
    propertyFee('WY01', '住宅物业费', [
      { effectiveDate: since, endDate: '2024-12-31', price: '2.6' },
      { effectiveDate: '2025-01-01', price: '2.85', reason: '业主大会表决通过' },
    ]),
    propertyFee('WY02', '商铺物业费', [{ effectiveDate: since, price: '4.5' }], { cycleMonths: 3 }),
    refuseFee('8'),
    {
      code: 'DT01',
      name: '电梯运行费',
      item: 'DTF',
      formula: '电梯费按楼层',
      prices: [{ effectiveDate: since }],
    },
    parkingFee('60', '50'),
    siteFee('35'),
    ...utilityPlans('home'),
  ],
  office: [
    propertyFee(
      'WY01',
      '写字楼物业费',
      [
        { effectiveDate: since, endDate: '2025-06-30', price: '12' },
        { effectiveDate: '2025-07-01', price: '12.8', reason: '服务等级调整' },
      ],
      { cycleMonths: 3 },
    ),
    refuseFee('60'),
    parkingFee('120'),
    siteFee('80'),
    ...utilityPlans('trade'),
  ],
  mall: [
    propertyFee('WY01', '商铺物业费', [{ effectiveDate: since, price: '18' }]),
    refuseFee('120'),
    parkingFee('80'),
    siteFee('150'),
    ...utilityPlans('trade'),
  ],
}
