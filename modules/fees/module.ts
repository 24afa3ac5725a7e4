import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('fees', {
  item: { label: '收费项目' },
  formula: { label: '收费公式' },
  standard: { label: '收费标准', buttons: { price: '调价', copy: '复制到项目' } },
  relation: {
    label: '收费关联',
    buttons: { batch: '批量绑定', stop: '停收与恢复', import: '导入', export: '导出' },
  },
})

export const manifest = defineModule({
  name: 'fees',
  label: '收费定义',
  menus: menu,
  screens: [
    { path: '/finance', title: '财务管理', needs: undefined, redirectTo: '/finance/indexFinance' },
    {
      path: '/finance/chargemanage/cashsetting',
      title: '收费设置',
      needs: menu.item.permissions.view,
      section: 'fee',
      group: '收费设置',
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/cashsetting/relevance',
      title: '收费关联',
      needs: menu.relation.permissions.view,
      section: 'fee',
      group: '收费设置',
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/cashsetting/batchbind',
      title: '批量绑定',
      needs: menu.relation.permissions.batch,
      section: 'fee',
      group: '收费设置',
    },
    {
      path: '/finance/chargemanage/cashsetting/addfeeitem',
      title: '新增收费项目',
      needs: menu.item.permissions.add,
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/cashsetting/editfeeitem',
      title: '编辑收费项目',
      needs: menu.item.permissions.edit,
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/cashsetting/addformula',
      title: '新增公式',
      needs: menu.formula.permissions.add,
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/cashsetting/editformula',
      title: '编辑公式',
      needs: menu.formula.permissions.edit,
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/cashsetting/addstandard',
      title: '新增收费标准',
      needs: menu.standard.permissions.add,
    },
    {
      path: '/finance/chargemanage/cashsetting/editstandard',
      title: '编辑收费标准',
      needs: menu.standard.permissions.edit,
      allProjects: true,
    },
    {
      path: '/finance/chargemanage/cashsetting/standarddetail',
      title: '收费标准详情',
      needs: menu.standard.permissions.view,
      allProjects: true,
    },
    {
      path: '/service/data/roommange/addroomfeescale',
      title: '房间收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
    {
      path: '/service/data/roommangeshop/addshopfeescale',
      title: '商铺收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
    {
      path: '/service/data/parklots/carportlist/addcarportfeescale',
      title: '车位收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
    {
      path: '/service/data/PublicAreaManage/addPublicFeescale',
      title: '公共区域收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
  ],
})
