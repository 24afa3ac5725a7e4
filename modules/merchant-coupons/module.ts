import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('merchant-coupons', {
  coupon: { label: '停车券', buttons: { state: '启用停用' } },
  order: {
    label: '商户订单',
    sensitive: true,
    buttons: { buy: '下单', offline: '登记线下收款', cancel: '取消', refund: '退券', export: '导出' },
  },
  stock: { label: '停车券库存', buttons: { export: '导出' } },
  ticket: {
    label: '停车券发放',
    buttons: { present: '发放', withdraw: '撤回', code: '二维码', link: '商户手机页', export: '导出' },
  },
})

const list = '/parking/couponslist'

export const paths = {
  coupons: list,
  add: `${list}/couponsadd`,
  detail: `${list}/basedetails`,
  order: `${list}/couponorderdetail`,
  ticket: `${list}/parkingorderdetail`,
  /** Beside 交易中心: the purchases of merchants as the finance staff look at them. */
  orderTrades: '/finance/chargemanage/tradingCouponorderdetail',
  tickets: '/parking/sendParkingTickets',
  buy: '/customer/merchantlist/merchantbuy',
  /**
   * The page of a merchant on a phone: by its link (`?t=`), or by an account of it, whose company the address
   * names (`?c=`); outside the shell.
   */
  shop: '/coupon/shop',
  /** Where a driver takes the coupon of a scanned code (`?t=`); outside the shell. */
  claim: '/coupon/take',
} as const

const inGroup = { section: 'site', group: '停车运营', allProjects: true } as const
const { coupon, order, ticket } = menu

export const manifest = defineModule({
  name: 'merchant-coupons',
  label: '商户停车券',
  menus: menu,
  screens: [
    {
      path: paths.coupons,
      title: '停车券',
      needs: coupon.permissions.view,
      keywords: ['商户订单', '停车券结算', '停车券库存'],
      ...inGroup,
    },
    { path: paths.add, title: '新增停车券', needs: coupon.permissions.add },
    { path: paths.detail, title: '停车券详情', needs: coupon.permissions.view, allProjects: true },
    { path: paths.order, title: '停车券订单详情', needs: order.permissions.view, allProjects: true },
    {
      path: paths.orderTrades,
      title: '停车券订单交易详情',
      needs: order.permissions.view,
      keywords: ['交易中心', '商户订单', '停车券收入'],
      section: 'fee',
      group: '收款',
      allProjects: true,
    },
    { path: paths.ticket, title: '停车券使用详情', needs: ticket.permissions.view, allProjects: true },
    {
      path: paths.tickets,
      title: '发放停车券',
      needs: ticket.permissions.view,
      keywords: ['停车券二维码', '批量发券'],
      ...inGroup,
    },
    { path: paths.buy, title: '商户购券', needs: order.permissions.buy },
    { path: paths.shop, title: '商户停车券', ...publicScreen },
    { path: paths.claim, title: '领取停车券', ...publicScreen },
  ],
})
