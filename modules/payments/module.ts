import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  endingCredits: '/finance/chargemanage/endingcredits',
  cashier: '/finance/chargemanage/cashier',
  cashierDetail: '/finance/chargemanage/cashier/cashierdetail',
  records: '/finance/chargemanage/paidbills',
  recordDetail: '/finance/chargemanage/paidbills/paidbilldetail/:id',
  refunds: '/finance/chargemanage/backpaidbills',
  trades: '/finance/chargemanage/tradingcenter',
  handover: '/finance/chargemanage/handover',
  close: '/finance/chargemanage/dayclose',
  channels: '/setting/baseSetting/oalist/payset',
  terminals: '/setting/baseSetting/oalist/posterminal',
} as const

/** The cashier with the bills of one object open; `typeCode` is the code of its source type. */
export const cashierAddress = (
  typeCode: string | number,
  sourceCode: string | undefined,
  projectCode?: string,
): string => {
  const code = encodeURIComponent(sourceCode ?? '')
  const project = projectCode === undefined ? '' : `&project=${encodeURIComponent(projectCode)}`
  return `${paths.cashier}?type=${typeCode}&code=${code}${project}`
}

export const menu = menus('payments', {
  cashier: {
    label: '收银台',
    sensitive: true,
    buttons: { pay: '收款', discount: '现场减免', roundOff: '抹零', backDate: '补录日期', other: '其他收入' },
  },
  record: {
    label: '收款记录',
    sensitive: true,
    buttons: { void: '作废', recover: '恢复', print: '打印收据', import: '导入历史收款', export: '导出' },
  },
  refund: {
    label: '退款',
    sensitive: true,
    buttons: { apply: '申请退款', audit: '审核退款', cancel: '取消退款' },
  },
  handover: { label: '交账', sensitive: true, buttons: { confirm: '确认交账' } },
  close: { label: '日结', sensitive: true, buttons: { close: '日结', reopen: '反日结' } },
  channel: { label: '支付渠道', sensitive: true },
})

export const manifest = defineModule({
  name: 'payments',
  label: '收款',
  menus: menu,
  screens: [
    {
      path: paths.endingCredits,
      title: '止收退款',
      needs: menu.refund.permissions.view,
      section: 'fee',
      group: '账单',
      allProjects: true,
    },
    {
      path: paths.cashier,
      title: '收银台',
      needs: menu.cashier.permissions.view,
      workNeeds: menu.cashier.permissions.pay,
      section: 'fee',
      group: '收银',
      collapsedPanel: true,
    },
    {
      path: paths.cashierDetail,
      title: '收银详情',
      needs: menu.cashier.permissions.view,
    },
    {
      path: paths.records,
      title: '收款记录',
      needs: menu.record.permissions.view,
      section: 'fee',
      group: '收款',
      allProjects: true,
    },
    {
      path: paths.recordDetail,
      title: '收款详情',
      needs: menu.record.permissions.view,
      allProjects: true,
    },
    {
      path: paths.refunds,
      title: '退款',
      needs: menu.refund.permissions.view,
      section: 'fee',
      group: '收款',
      allProjects: true,
    },
    {
      path: paths.trades,
      title: '交易中心',
      needs: menu.record.permissions.view,
      section: 'fee',
      group: '收款',
      allProjects: true,
    },
    {
      path: paths.handover,
      title: '交账',
      needs: menu.handover.permissions.view,
      section: 'fee',
      group: '收银',
      allProjects: true,
    },
    {
      path: paths.close,
      title: '日结',
      needs: menu.close.permissions.view,
      section: 'fee',
      group: '收银',
      allProjects: true,
    },
    {
      path: paths.channels,
      title: '支付设置',
      needs: menu.channel.permissions.view,
      section: 'setting',
      group: '基础配置',
      allProjects: true,
    },
    {
      path: paths.terminals,
      title: 'POS 机',
      needs: menu.channel.permissions.view,
      section: 'setting',
      group: '基础配置',
      allProjects: true,
    },
  ],
})
