import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('month-cards', {
  order: {
    label: '月卡订单',
    sensitive: true,
    buttons: { renew: '续费', cancel: '取消', refund: '退款', export: '导出' },
  },
})

const { view, renew } = menu.order.permissions
const list = '/parking/monthcards'

export const paths = { list, renew: `${list}/renew`, detail: `${list}/detail` } as const

export const manifest = defineModule({
  name: 'month-cards',
  label: '月卡',
  menus: menu,
  screens: [
    {
      path: paths.list,
      title: '月卡订单',
      needs: view,
      keywords: ['月租', '月卡退款'],
      section: 'people',
      group: '车场与车位',
      allProjects: true,
    },
    { path: paths.renew, title: '月卡续费', needs: renew },
    { path: paths.detail, title: '月卡订单详情', needs: view, allProjects: true },
  ],
})
