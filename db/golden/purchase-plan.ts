import type { PurchaseState } from '#modules/purchases/contract/choices.ts'

export const suppliers = [
  ['广源办公用品有限公司', '办公用品', '陈经理', '020-38120011'],
  ['恒力机电设备有限公司', '工程材料', '黄工', '020-38120022'],
  ['绿洁环境用品商行', '保洁用品', '周经理', '020-38120033'],
  ['安泰消防器材有限公司', '消防器材', '吴经理', '020-38120044'],
] as const

export type Item = readonly [itemName: string, spec: string, unit: string, quantity: string, price: string]

/** What of the lines is ordered from one supplier, and in which parts it has come. */
export interface PlannedOrder {
  readonly supplier: number
  readonly lines: readonly number[]
  /** Each part of what was ordered, in quarters. */
  readonly quarters: readonly number[]
}

export interface PlannedPurchase {
  readonly title: string
  readonly purpose: string
  readonly daysAgo: number
  readonly applicant: 'service' | 'engineer'
  readonly items: readonly Item[]
  readonly state: PurchaseState
  readonly isUrgent?: boolean
  readonly reason?: string
  readonly orders?: readonly PlannedOrder[]
}

const office: readonly Item[] = [
  ['打印纸', 'A4 70 克', '箱', '8', '128.5'],
  ['硒鼓', 'CF230', '支', '4', '236'],
]
const pump: readonly Item[] = [
  ['水泵轴承', '6308-2Z', '套', '4', '186.4'],
  ['机械密封', '108-35', '套', '4', '92.75'],
]
const cleaning: readonly Item[] = [
  ['洗地机清洁剂', '20 升', '桶', '12', '98'],
  ['垃圾袋', '100×120', '捆', '60', '16.8'],
  ['尘推', '90 厘米', '把', '10', '34.5'],
]

export const purchasePlan: readonly PlannedPurchase[] = [
  {
    title: '十月办公用品',
    purpose: '客服中心打印用',
    daysAgo: 34,
    applicant: 'service',
    items: office,
    state: 'approved',
    orders: [{ supplier: 0, lines: [1, 2], quarters: [2, 2] }],
  },
  {
    title: '生活水泵备件',
    purpose: '二次供水 2 号泵大修',
    daysAgo: 21,
    applicant: 'engineer',
    items: pump,
    state: 'approved',
    orders: [{ supplier: 1, lines: [1, 2], quarters: [4] }],
  },
  {
    title: '四季度保洁用品',
    purpose: '各楼栋保洁',
    daysAgo: 12,
    applicant: 'service',
    items: cleaning,
    state: 'approved',
    orders: [
      { supplier: 2, lines: [1, 2], quarters: [2] },
      { supplier: 0, lines: [3], quarters: [] },
    ],
  },
  {
    title: '灭火器更换',
    purpose: '年检到期，更换 3 栋灭火器',
    daysAgo: 8,
    applicant: 'engineer',
    items: [['手提式灭火器', '4 公斤 ABC', '具', '40', '78']],
    state: 'approved',
    orders: [{ supplier: 3, lines: [1], quarters: [] }],
  },
  {
    title: '排污泵抢修材料',
    purpose: '地下室排污泵停机，更换电缆与接头',
    daysAgo: 2,
    applicant: 'engineer',
    items: [['防水电缆', 'YCW 3×4', '米', '35.5', '18.6']],
    state: 'approving',
    isUrgent: true,
  },
  {
    title: '大堂地垫',
    purpose: '1 栋至 3 栋大堂',
    daysAgo: 1,
    applicant: 'service',
    items: [['除尘地垫', '1.2×1.8 米', '块', '6', '320']],
    state: 'approving',
  },
  {
    title: '应急照明灯',
    purpose: '地下车库补装',
    daysAgo: 3,
    applicant: 'engineer',
    items: [['应急照明灯', '双头 LED', '个', '25', '66']],
    state: 'approved',
  },
  {
    title: '会议室投影仪',
    purpose: '项目会议室',
    daysAgo: 15,
    applicant: 'service',
    items: [['投影仪', '3LCD', '台', '1', '5980']],
    state: 'refused',
    reason: '可使用现有电视，暂不购置',
  },
  {
    title: '对讲机电池',
    purpose: '秩序维护岗备用',
    daysAgo: 18,
    applicant: 'service',
    items: [['对讲机电池', '2000 毫安', '块', '10', '45']],
    state: 'cancelled',
    reason: '已从总部调拨',
  },
  {
    title: '绿化补苗',
    purpose: '中心花园补种',
    daysAgo: 0,
    applicant: 'engineer',
    items: [['麦冬', '', '平方米', '120.5', '12.4']],
    state: 'draft',
  },
]
