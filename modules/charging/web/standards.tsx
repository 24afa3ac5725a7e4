import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { chargerStandards, type ChargerStandard } from '../contract/standard.ts'
import { paths } from '../module.ts'

type Values = Partial<Pick<ChargerStandard, 'chargeMode' | 'idlePrice'>>

const isNot =
  (mode: ChargerStandard['chargeMode']) =>
  ({ chargeMode }: Values): boolean =>
    chargeMode !== mode

const isPackage = ({ chargeMode }: Values): boolean => chargeMode === 'package'
const hasNoIdleFee = ({ idlePrice }: Values): boolean => !Number(idlePrice)

/** 费用设置: what charging costs, by energy, by time or by package. */
export const pages = crudPages(chargerStandards, {
  paths: { list: paths.standards },
  unit: '个充电收费标准',
  deletion: {
    consequences: ['充电桩正在使用的不能删除；已下单的充电仍按原标准计费'],
    reasons: ['录入有误', '不再使用'],
  },
  columns: [
    { key: 'standardName', identity: true, grow: 1 },
    'chargeMode',
    { key: 'summary', title: '计费', width: 320, grow: 3 },
    { key: 'minFee', hidePriority: 1 },
    { key: 'maxHours', hidePriority: 2 },
    { key: 'feeItemName', hidePriority: 2 },
    'state',
  ],
  detail: [
    {
      title: '计费',
      keys: ['chargeMode', 'summary', 'prepaidAmounts', 'minFee', 'maxHours', 'idlePrice', 'graceMinutes'],
    },
    { title: '其他', keys: ['feeItemName', 'state'] },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      { keys: ['standardName', 'feeItemId', 'chargeMode', 'state'] },
      {
        title: '价格',
        keys: [
          { key: 'periods', wide: true, isHidden: isNot('energy') },
          { key: 'servicePrice', isHidden: isNot('energy') },
          { key: 'powerBands', wide: true, isHidden: isNot('duration') },
          { key: 'packages', wide: true, isHidden: isNot('package') },
          { key: 'prepaidAmounts', wide: true, isHidden: isPackage },
        ],
      },
      {
        title: '限制与占位',
        keys: ['minFee', 'maxHours', 'idlePrice', { key: 'graceMinutes', isHidden: hasNoIdleFee }],
      },
    ],
  },
  list: { keywordPlaceholder: '名称', barFilters: ['chargeMode', 'state'] },
})
