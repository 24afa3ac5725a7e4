import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('parking-lanes', {
  feeRule: { label: '停车收费规则' },
  lane: { label: '车道' },
  stay: {
    label: '停车出入记录',
    buttons: {
      pass: '登记通行',
      correct: '修改车牌与合并',
      release: '放行',
      clear: '清场',
      count: '校正在场数',
      export: '导出',
    },
  },
  charge: { label: '停车收费', buttons: { collect: '收取停车费', reprice: '改价', export: '导出' } },
})

const parking = '/parking'

export const paths = {
  stays: `${parking}/outinlog`,
  charges: `${parking}/carschargelist`,
  chargeDetail: `${parking}/carschargelist/detail`,
  /** Beside 交易中心: the money of stays as the finance staff look at it. */
  chargeTrades: '/finance/chargemanage/tradingCarschargedetail',
  /** Fee rules and lanes. */
  setup: `${parking}/parksetting`,
} as const

const inGroup = { section: 'site', group: '停车', allProjects: true } as const

export const manifest = defineModule({
  name: 'parking-lanes',
  label: '停车出入',
  menus: menu,
  screens: [
    {
      path: paths.stays,
      title: '出入记录',
      needs: menu.stay.permissions.view,
      keywords: ['在场车辆', '停车统计', '车道', '识别记录'],
      ...inGroup,
    },
    { path: paths.charges, title: '停车收费', needs: menu.charge.permissions.view, ...inGroup },
    {
      path: paths.chargeDetail,
      title: '停车收费详情',
      needs: menu.charge.permissions.view,
      allProjects: true,
    },
    {
      path: paths.chargeTrades,
      title: '停车收费交易详情',
      needs: menu.charge.permissions.view,
      keywords: ['交易中心', '停车费', '临停收入'],
      section: 'fee',
      group: '收款',
      allProjects: true,
    },
    {
      path: paths.setup,
      title: '停车设置',
      needs: menu.feeRule.permissions.view,
      keywords: ['收费规则', '车道', '相机', '费用试算'],
      ...inGroup,
    },
  ],
})
