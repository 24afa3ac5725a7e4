import { choiceTable } from '#kit/contract/field.ts'

/** FEE-1 */
export const feeType = choiceTable('FeeType', '费用类型', {
  cyclic: [10, '周期性'],
  metered: [20, '抄表'],
  temporary: [30, '临时'],
  deposit: [40, '押金'],
  shared: [50, '公摊'],
  prestore: [60, '预存'],
  monthCard: [70, '月卡'],
  parking: [80, '临停'],
  lateFee: [90, '违约金'],
  other: [99, '其他'],
})

export const billMode = choiceTable('BillMode', '出账方式', { auto: [1, '自动'], manual: [2, '手工'] })

/** The type of object that is charged. */
export const sourceType = choiceTable('SourceType', '对象类型', {
  room: [10, '房屋'],
  car: [20, '车辆'],
  parkPlace: [30, '车位'],
  publicArea: [40, '公共区域'],
  company: [50, '企业'],
  lease: [60, '合同'],
  resident: [70, '住户'],
  merchant: [80, '商户'],
})

/** FEE-9 */
export const scene = choiceTable('Scene', '适用场景', {
  room: [0, '房屋'],
  shop: [1, '商铺'],
  roomShop: [2, '房屋/商铺'],
  roomShopArea: [3, '含公区'],
  area: [4, '公区'],
  car: [5, '车辆'],
  parkPlace: [6, '车位'],
  company: [7, '企业'],
  lease: [8, '合同'],
})

/** C2.2 */
export const formulaType = choiceTable('FormulaType', '公式类型', {
  area: [10, '面积×单价'],
  fixed: [20, '固定金额'],
  quantity: [30, '数量×单价'],
  usage: [40, '仪表用量×单价'],
  tiers: [41, '仪表阶梯'],
  share: [50, '公摊'],
  custom: [60, '自定义公式'],
  imported: [70, '动态金额'],
  rent: [80, '租金'],
  risingRent: [81, '租金递增'],
  times: [90, '按次'],
})

export const areaKind = choiceTable('AreaKind', '面积口径', {
  build: [1, '建筑面积'],
  inner: [2, '套内面积'],
  charge: [3, '计费面积'],
})

export const quantityKind = choiceTable('QtyKind', '数量口径', {
  household: [1, '户数'],
  people: [2, '人数'],
  cars: [3, '车辆数'],
  floor: [4, '楼层'],
  manual: [5, '手工'],
})

/** CYC-1 */
export const cycleType = choiceTable('CycleType', '账期方式', {
  natural: [1, '自然月'],
  anniversary: [2, '对日'],
  once: [3, '一次性'],
})

export const chargeMode = choiceTable('ChargeMode', '收费方式', { ahead: [1, '预收'], behind: [2, '后收'] })

/** CYC-2 */
export const startRule = choiceTable('StartRule', '起收规则', {
  fixedDate: [1, '指定日期'],
  delivery: [2, '交付日'],
  monthAfterDelivery: [3, '交付次月1日'],
  moveIn: [4, '入住日'],
  lease: [5, '合同起始日'],
  card: [6, '购车位/办卡日'],
})

/** C2.4 */
export const prorateMode = choiceTable('ProrateMode', '不足月规则', {
  actual: [1, '按当月实际天数'],
  thirty: [2, '按30天'],
  year: [3, '按全年365天'],
  whole: [4, '不足月按整月'],
  half: [5, '半月规则'],
  none: [6, '不足月不计'],
})

/** GEN-10 */
export const dueBase = choiceTable('DueBase', '应缴日基准', {
  billed: [1, '出账日'],
  begin: [2, '账期首日'],
  end: [3, '账期末日'],
  fixed: [4, '每月固定日'],
})

/** FEE-3 */
export const roundType = choiceTable('RoundType', '舍入', {
  halfUp: [1, '四舍五入'],
  up: [3, '向上进位'],
  down: [4, '向下舍去'],
  halfEven: [5, '四舍六入五成双'],
})

export const roundUnit = choiceTable('RoundUnit', '精度', {
  fen: [2, '分'],
  jiao: [1, '角'],
  yuan: [0, '元'],
})

export const tierBase = choiceTable('TierBase', '阶梯口径', { month: [1, '月'], year: [2, '年'] })

export const relationState = choiceTable('RelationState', '收费状态', {
  charging: [10, '收费中', 'doing'],
  suspended: [20, '停收', 'hold'],
  ended: [30, '已结束', 'off'],
})

/** SHR-2 */
export const weightType = choiceTable('WeightType', '分摊方式', {
  area: [1, '面积'],
  household: [2, '户数'],
  usage: [3, '用量'],
  people: [4, '人数'],
  factor: [5, '系数'],
  floor: [6, '楼层'],
})

/** GEN-6. The codes are texts: results count them and messages show them. */
/** What becomes of the days of an abolished bill (GEN-3). */
export const periodAfter = choiceTable('PeriodAfter', '账期处理', {
  rebill: [1, '重新出账'],
  waived: [2, '不再收取'],
})

export const skipReason = choiceTable('SkipReason', '跳过原因', {
  areaMissing: ['AREA_MISSING', '缺面积'],
  startDateMissing: ['START_DATE_MISSING', '缺起收日期'],
  meterReadingMissing: ['METER_READING_MISSING', '缺读数'],
  meterBaseMissing: ['METER_BASE_MISSING', '缺上期读数'],
  formulaInvalid: ['FORMULA_INVALID', '公式无法计算'],
  priceMissing: ['PRICE_MISSING', '缺单价'],
  periodExists: ['PERIOD_EXISTS', '本期已有账单'],
  suspended: ['SUSPENDED', '已停收'],
  freePeriod: ['FREE_PERIOD', '免收期'],
  sourceDisabled: ['SOURCE_DISABLED', '房屋停用'],
  payerMissing: ['PAYER_MISSING', '无缴费人'],
  amountZero: ['AMOUNT_ZERO', '金额为零'],
  excluded: ['EXCLUDED', '人工排除'],
  poolMissing: ['POOL_MISSING', '缺公摊总额'],
  waived: ['WAIVED', '不再收取'],
})

/** C2.1 */
export const itemCategory = choiceTable('FeeCategory', '大类', {
  property: [10, '物业费'],
  water: [20, '水费'],
  power: [30, '电费'],
  gas: [40, '燃气费'],
  heat: [50, '暖气费'],
  parking: [60, '停车费'],
  rent: [70, '租金'],
  repair: [80, '维修费'],
  agency: [90, '代收代付'],
  other: [99, '其他'],
})

export const incomeKind = choiceTable('IncomeKind', '收入性质', { own: [1, '自有收入'], agency: [2, '代收'] })

/** LATE-3, LATE-7 */
export const graceMode = choiceTable('GraceMode', '宽限方式', {
  all: [1, '超宽限全额起算'],
  beyond: [2, '扣除宽限'],
})

export const capMode = choiceTable('LateFeeCapMode', '封顶', {
  none: [0, '无'],
  rate: [1, '本金比例'],
  amount: [2, '固定额'],
  days: [3, '最多天数'],
})

/** What kind of payer `PayerID` names. */
export const payerSide = choiceTable('PayerSide', '缴费人类别', {
  resident: [1, '住户'],
  company: [2, '企业'],
})
