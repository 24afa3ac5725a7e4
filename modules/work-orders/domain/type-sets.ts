import type { ChoiceOf } from '#kit/contract/field.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { dispatchMode, orderCategory, typeSet } from '../contract/choices.ts'

export interface PresetPrice {
  readonly name: string
  readonly unit: string
  readonly price: Fen
}

/** A type as a company begins with it. */
export interface PresetType {
  readonly code: string
  readonly name: string
  readonly category: ChoiceOf<typeof orderCategory>
  readonly parent?: string
  readonly mode?: ChoiceOf<typeof dispatchMode>
  readonly response: number
  readonly arrive?: number
  readonly finish: number
  readonly is24h?: boolean
  readonly workdaysOnly?: boolean
  readonly needAudit?: boolean
  readonly needAccept?: boolean
  readonly photos?: number
  readonly warranty?: number
  readonly prices?: readonly PresetPrice[]
}

const yuan = (n: number): Fen => asFen(Math.round(n * 100))
const price = (name: string, unit: string, amount: number): PresetPrice => ({
  name,
  unit,
  price: yuan(amount),
})

const hour = 60
const day = 10 * hour

const waterPrices = [
  price('上门维修人工', '次', 30),
  price('更换水龙头', '个', 45),
  price('角阀', '个', 25),
  price('软管', '根', 15),
  price('地漏', '个', 35),
  price('疏通下水', '次', 80),
]

const powerPrices = [
  price('上门维修人工', '次', 30),
  price('更换开关插座', '个', 20),
  price('LED 灯泡', '个', 18),
  price('空气开关', '个', 55),
  price('线路检修', '小时', 60),
]

const complaints: readonly PresetType[] = [
  { code: 'TS', name: '投诉', category: 'complaint', response: 30, finish: 2 * day, needAccept: true },
  { code: 'TS01', name: '噪音扰民', category: 'complaint', parent: 'TS', response: 15, finish: day },
  { code: 'TS02', name: '服务态度', category: 'complaint', parent: 'TS', response: 30, finish: 2 * day },
  { code: 'TS03', name: '环境卫生', category: 'complaint', parent: 'TS', response: 30, finish: day },
  { code: 'TS04', name: '停车秩序', category: 'complaint', parent: 'TS', response: 20, finish: day },
]

const residential: readonly PresetType[] = [
  {
    code: 'BX',
    name: '室内报修',
    category: 'repair',
    mode: 'turn',
    response: 30,
    arrive: 2 * hour,
    finish: day,
    photos: 1,
    needAccept: true,
    warranty: 30,
  },
  {
    code: 'BX01',
    name: '水路维修',
    category: 'repair',
    parent: 'BX',
    mode: 'turn',
    response: 15,
    arrive: hour,
    finish: 6 * hour,
    is24h: true,
    photos: 1,
    needAccept: true,
    warranty: 30,
    prices: waterPrices,
  },
  {
    code: 'BX02',
    name: '电路维修',
    category: 'repair',
    parent: 'BX',
    mode: 'turn',
    response: 15,
    arrive: hour,
    finish: 6 * hour,
    is24h: true,
    photos: 1,
    needAccept: true,
    warranty: 30,
    prices: powerPrices,
  },
  {
    code: 'BX03',
    name: '门窗维修',
    category: 'repair',
    parent: 'BX',
    mode: 'turn',
    response: 30,
    arrive: 4 * hour,
    finish: 2 * day,
    photos: 1,
    warranty: 90,
    prices: [price('上门维修人工', '次', 30), price('门锁', '把', 180), price('合页', '副', 22)],
  },
  {
    code: 'GQ',
    name: '公共区域维修',
    category: 'publicRepair',
    mode: 'areaOwner',
    response: 30,
    arrive: 2 * hour,
    finish: 2 * day,
    photos: 2,
  },
  {
    code: 'GQ01',
    name: '电梯故障',
    category: 'publicRepair',
    parent: 'GQ',
    mode: 'areaOwner',
    response: 5,
    arrive: 30,
    finish: 4 * hour,
    is24h: true,
    photos: 1,
  },
  {
    code: 'GQ02',
    name: '公共照明',
    category: 'publicRepair',
    parent: 'GQ',
    mode: 'grab',
    response: hour,
    finish: day,
    photos: 1,
  },
  ...complaints,
  {
    code: 'JY',
    name: '建议',
    category: 'suggestion',
    response: 4 * hour,
    finish: 5 * day,
    workdaysOnly: true,
  },
  { code: 'ZX', name: '咨询', category: 'enquiry', response: 30, finish: day },
  {
    code: 'RW',
    name: '内部任务',
    category: 'internal',
    response: 4 * hour,
    finish: 5 * day,
    workdaysOnly: true,
  },
]

const office: readonly PresetType[] = [
  {
    code: 'KT',
    name: '空调报修',
    category: 'repair',
    mode: 'fewestOpen',
    response: 10,
    arrive: 30,
    finish: 4 * hour,
    photos: 1,
    needAccept: true,
    warranty: 30,
    prices: [price('加时空调', '小时', 120), price('滤网清洗', '台', 60), price('上门检修人工', '次', 80)],
  },
  {
    code: 'QD',
    name: '强电报修',
    category: 'repair',
    mode: 'fewestOpen',
    response: 10,
    arrive: 30,
    finish: 4 * hour,
    is24h: true,
    photos: 1,
    warranty: 30,
    prices: powerPrices,
  },
  {
    code: 'RD',
    name: '弱电与网络',
    category: 'repair',
    mode: 'grab',
    response: 20,
    arrive: hour,
    finish: day,
    workdaysOnly: true,
    photos: 1,
    prices: [price('网络跳线', '条', 30), price('上门调试人工', '次', 80)],
  },
  {
    code: 'BJ',
    name: '保洁服务',
    category: 'repair',
    mode: 'turn',
    response: 20,
    finish: 4 * hour,
    workdaysOnly: true,
    prices: [price('专项保洁', '小时', 60), price('地毯清洗', '㎡', 8)],
  },
  {
    code: 'ZM',
    name: '公共设施维修',
    category: 'publicRepair',
    mode: 'areaOwner',
    response: 20,
    arrive: hour,
    finish: day,
    photos: 1,
  },
  {
    code: 'ZX',
    name: '装修与搬运申请',
    category: 'enquiry',
    response: 2 * hour,
    finish: 3 * day,
    workdaysOnly: true,
    needAudit: true,
  },
  ...complaints,
  {
    code: 'RW',
    name: '内部任务',
    category: 'internal',
    response: 4 * hour,
    finish: 5 * day,
    workdaysOnly: true,
  },
]

/** The usual types of a residential and of an office estate, parents first (WorkOrderInit, the demo data). */
export const typeSets: { readonly [S in ChoiceOf<typeof typeSet>]: readonly PresetType[] } = {
  residential,
  office,
}

/** Half of the usual time where something is urgent, at least five minutes. */
export const urgentMinutes = (minutes: number): number => Math.max(5, Math.round(minutes / 2))
