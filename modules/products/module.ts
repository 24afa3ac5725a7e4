import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  renew: '/setting/permission/personcenter/userRenew',
  orders: '/setting/permission/personbilllist',
  productCentre: '/setting/product',
  products: '/setting/product/Product',
  productDetail: '/setting/product/Productdetail',
  valueAddCentre: '/setting/ValueAddCenter',
  valueServices: '/setting/ValueAddCenter/ValueAddCenter',
  callSeats: '/setting/ValueAddCenter/call-seating-manage',
  valueServiceDetail: '/setting/ValueAddCenter/ValueAddCenterDetail',
  valueServiceOrder: '/setting/ValueAddCenter/ValueAddCenterPay',
  buySms: '/notice/shortlist/buysms',
} as const

export const menu = menus('products', {
  renewal: { label: '账户续费' },
  order: { label: '平台账单', sensitive: true, buttons: { cancel: '取消', pay: '余额支付' } },
  product: { label: '产品中心', sensitive: true },
  increment: { label: '增值中心' },
  seat: { label: '呼叫坐席' },
})

export const manifest = defineModule({
  name: 'products',
  label: '产品与续费',
  menus: menu,
  screens: [
    {
      path: paths.renew,
      title: '账户续费',
      needs: menu.renewal.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: paths.orders,
      title: '平台账单',
      needs: menu.order.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: paths.productCentre,
      title: '产品',
      needs: menu.product.permissions.view,
      redirectTo: paths.products,
    },
    {
      path: paths.products,
      title: '产品中心',
      needs: menu.product.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: paths.productDetail,
      title: '产品详情',
      needs: menu.product.permissions.view,
      section: 'setting',
      allProjects: true,
    },
    {
      path: paths.valueAddCentre,
      title: '增值中心',
      needs: menu.increment.permissions.view,
      redirectTo: paths.valueServices,
    },
    {
      path: paths.valueServices,
      title: '增值服务',
      needs: menu.increment.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: paths.callSeats,
      title: '呼叫坐席',
      needs: menu.seat.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: paths.valueServiceDetail,
      title: '增值服务详情',
      needs: menu.increment.permissions.view,
      section: 'setting',
      allProjects: true,
    },
    {
      path: paths.valueServiceOrder,
      title: '增值服务下单',
      needs: menu.increment.permissions.add,
      section: 'setting',
      allProjects: true,
    },
    { path: paths.buySms, title: '购买短信', needs: menu.increment.permissions.view, allProjects: true },
  ],
})
