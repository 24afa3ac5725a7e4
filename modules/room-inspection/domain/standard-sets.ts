import type { ChoiceOf } from '#kit/contract/field.ts'
import type { standardSet } from '../contract/choices.ts'

interface PresetItem {
  readonly part: string
  readonly itemName: string
  readonly method: string
}

interface PresetStandard {
  readonly standardName: string
  readonly roomTypes: string
  readonly items: readonly PresetItem[]
}

type PartItems = readonly [part: string, ...items: (readonly [itemName: string, method: string])[]]

const itemsOf = (...parts: readonly PartItems[]): PresetItem[] =>
  parts.flatMap(([part, ...items]) => items.map(([itemName, method]) => ({ part, itemName, method })))

const entrance: PartItems = [
  '入户门',
  ['门扇门框', '目测无划伤变形，开关顺畅无异响'],
  ['门锁钥匙', '逐把试开，反锁有效'],
  ['密封条与猫眼', '关门后四周无明显缝隙'],
]
const windows: PartItems = [
  '门窗',
  ['窗扇开启', '逐扇开关，锁扣有效'],
  ['玻璃', '目测无裂纹划痕'],
  ['窗框密封', '淋水或目测，无渗水痕迹'],
]
const power: PartItems = [
  '强弱电',
  ['配电箱', '逐路断合，标识齐全'],
  ['漏电保护', '按试验按钮，立即跳闸'],
  ['插座', '验电器逐个测试'],
  ['弱电箱与对讲', '通话、开锁正常'],
]
const water: PartItems = [
  '给排水',
  ['给水管', '开阀检查，无渗漏'],
  ['排水管', '灌水检查，排水通畅'],
  ['地漏', '灌水后无积水返味'],
]
const balcony: PartItems = [
  '阳台',
  ['护栏', '高度不低于 1.1 米，牢固无锈蚀'],
  ['地面坡度', '泼水检查，流向地漏'],
]

const bare: PresetStandard = {
  standardName: '毛坯房验房标准',
  roomTypes: '毛坯住宅',
  items: itemsOf(
    entrance,
    windows,
    [
      '墙顶面',
      ['墙面平整度', '2 米靠尺检查，偏差不大于 4 毫米'],
      ['墙面空鼓裂缝', '空鼓锤敲击，目测无裂缝'],
      ['顶棚', '目测无裂缝、渗水'],
      ['净高', '测距仪测量，不低于 2.8 米'],
    ],
    ['地面', ['地面平整度', '2 米靠尺检查，偏差不大于 4 毫米'], ['地面空鼓起砂', '空鼓锤敲击，目测无起砂']],
    ['厨房', ['烟道', '试烟，无倒灌'], ['燃气管', '接口检漏，无泄漏']],
    ['卫生间', ['防水', '闭水 24 小时，楼下无渗漏'], ['排污管', '灌水检查，排水通畅']],
    power,
    water,
    balcony,
  ),
}

const decorated: PresetStandard = {
  standardName: '精装房验房标准',
  roomTypes: '精装住宅',
  items: itemsOf(
    entrance,
    windows,
    [
      '客厅',
      ['墙面涂饰', '目测无裂缝、色差、污染'],
      ['地板地砖', '空鼓锤敲击，拼缝均匀'],
      ['吊顶', '目测平整，检修口齐全'],
      ['踢脚线', '目测安装牢固，接缝严密'],
    ],
    [
      '卧室',
      ['墙面涂饰', '目测无裂缝、色差、污染'],
      ['地板', '踩踏无异响'],
      ['户内门', '开关顺畅，五金齐全'],
    ],
    [
      '厨房',
      ['橱柜台面', '柜门开合顺畅，台面无裂纹'],
      ['水槽龙头', '放水 5 分钟，无渗漏'],
      ['灶具烟机', '通电通气试用'],
      ['墙地砖', '空鼓锤敲击，无空鼓破损'],
    ],
    [
      '卫生间',
      ['马桶', '冲水 3 次，排水通畅无渗漏'],
      ['洗手盆花洒', '冷热水试用，无渗漏'],
      ['墙地砖', '空鼓锤敲击，无空鼓破损'],
      ['防水', '闭水 24 小时，楼下无渗漏'],
    ],
    ['设备', ['空调', '制冷制热各试用 10 分钟'], ['热水器', '点火或通电试用'], ['开关灯具', '逐个试用']],
    power,
    water,
    balcony,
  ),
}

/** What such rooms are usually inspected by. */
export const standardSets: Readonly<Record<ChoiceOf<typeof standardSet>, PresetStandard>> = {
  bare,
  decorated,
}
