import { menus, defineModule } from '#kit/contract/module.ts'

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
      path: '/setting/permission/personcenter/userRenew',
      title: '账户续费',
      needs: menu.renewal.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: '/setting/permission/personbilllist',
      title: '平台账单',
      needs: menu.order.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: '/setting/product',
      title: '产品',
      needs: menu.product.permissions.view,
      redirectTo: '/setting/product/Product',
    },
    {
      path: '/setting/product/Product',
      title: '产品中心',
      needs: menu.product.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: '/setting/product/Productdetail',
      title: '产品详情',
      needs: menu.product.permissions.view,
      section: 'setting',
      allProjects: true,
    },
    {
      path: '/setting/ValueAddCenter',
      title: '增值中心',
      needs: menu.increment.permissions.view,
      redirectTo: '/setting/ValueAddCenter/ValueAddCenter',
    },
    {
      path: '/setting/ValueAddCenter/ValueAddCenter',
      title: '增值服务',
      needs: menu.increment.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: '/setting/ValueAddCenter/call-seating-manage',
      title: '呼叫坐席',
      needs: menu.seat.permissions.view,
      section: 'setting',
      group: '账户与产品',
      allProjects: true,
    },
    {
      path: '/setting/ValueAddCenter/ValueAddCenterDetail',
      title: '增值服务详情',
      needs: menu.increment.permissions.view,
      section: 'setting',
      allProjects: true,
    },
    {
      path: '/setting/ValueAddCenter/ValueAddCenterPay',
      title: '增值服务下单',
      needs: menu.increment.permissions.add,
      section: 'setting',
      allProjects: true,
    },
  ],
})
