import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  decimal,
  int,
  lines,
  list,
  lookup,
  money,
  ref,
  text,
  type Rule,
} from '#kit/contract/field.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { chargeMode } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const

const dayClockRule: Rule = {
  name: 'dayClock',
  test: value =>
    /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(value) ? undefined : '应为 00:00 到 24:00，如 08:30',
  hint: '08:30',
}

const prepaidRule: Rule = {
  name: 'prepaid',
  test: value => (/^[1-9]\d{0,2}$/.test(value) ? undefined : '预付金额应为 1–999 的整数元'),
}

const price = (label: string) => decimal(label, { required: true, scale: 6, min: 0, max: 9999 })

/** What charging costs (C20); an order keeps what it was when it was placed. */
export const chargerStandard = entity(
  'chargerStandard',
  '充电收费标准',
  {
    table: 'charger_standard',
    tenancy: 'project',
    title: 'standardName',
    order: ['projectCode', 'standardName'],
  },
  {
    projectCode: estateField(),
    standardName: text('名称', { required: true, max: 60, searchable: true }),
    chargeMode: choice('计费方式', chargeMode, { required: true, initial: 'energy' }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      wire: 'FeeItemID',
      hiddenIn: ['table', 'filter', 'detail'],
      help: '临时或其他类项目；收款与报表按此项目',
    }),
    feeItemName: lookup('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName' }),
    periods: lines(
      '分时电价',
      {
        begin: text('起', { required: true, max: 5, rule: dayClockRule, wire: 'Begin' }),
        end: text('止', { required: true, max: 5, rule: dayClockRule, wire: 'End' }),
        price: { ...price('电价（元/度）'), wire: 'Price' },
      },
      { max: 24, wire: 'PeriodJson', help: '从 00:00 到 24:00 首尾相接', ...inDetail },
    ),
    servicePrice: decimal('服务费', {
      scale: 6,
      min: 0,
      max: 9999,
      unit: '元/度',
      help: '按电量计费时，在电费之外',
      ...inDetail,
    }),
    powerBands: lines(
      '功率档',
      {
        maxWatts: int('功率不超过', { required: true, min: 1, max: 1_000_000, unit: '瓦', wire: 'MaxWatts' }),
        price: { ...price('价格（元/小时）'), wire: 'Price' },
      },
      { max: 10, wire: 'PowerBandJson', help: '从低到高；超过最高一档的按最高一档', ...inDetail },
    ),
    packages: lines(
      '包时套餐',
      {
        hours: int('小时', { required: true, min: 1, max: 72, wire: 'Hours' }),
        price: money('价格', { required: true, min: 1, max: 999_900, wire: 'Price' }),
      },
      { max: 10, wire: 'PackageJson', ...inDetail },
    ),
    prepaidAmounts: list('预付金额', {
      max: 8,
      rule: prepaidRule,
      wire: 'PrepaidAmounts',
      help: '付款人可选的金额（元）；不填为 5、10、20、50',
      ...inDetail,
    }),
    minFee: money('最低消费', { required: true, min: 0, max: 999_900, initial: 0 }),
    maxHours: int('最长小时', { required: true, min: 1, max: 72, initial: 12 }),
    idlePrice: decimal('占位费', {
      scale: 6,
      min: 0,
      max: 9999,
      unit: '元/小时',
      wire: 'IdleFee',
      help: '充电结束后超过免费占位时间的，按分钟计；不填为不收',
      ...inDetail,
    }),
    graceMinutes: int('免费占位', {
      required: true,
      min: 0,
      max: 1440,
      initial: 30,
      unit: '分钟',
      ...inDetail,
    }),
    summary: text('计费', { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type ChargerStandard = Row<typeof chargerStandard>

export const chargerStandards = crud(chargerStandard, {
  path: 'charger/v1/Feestandard',
  permissions: menu.standard.permissions,
  filters: ['chargeMode', 'state'],
})

export const pickStandards = pickerOf(chargerStandard, {
  route: 'GET charger/v1/Feestandard/GetPick',
  title: '选择充电收费标准',
  fields: ['id', 'projectCode', 'standardName', 'chargeMode', 'state'],
  search: { ids: idsFilter },
})
