import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  finance: '/finance',
  setting: '/finance/chargemanage/cashsetting',
  relations: '/finance/chargemanage/cashsetting/relevance',
  bind: '/finance/chargemanage/cashsetting/batchbind',
  addItem: '/finance/chargemanage/cashsetting/addfeeitem',
  editItem: '/finance/chargemanage/cashsetting/editfeeitem',
  addFormula: '/finance/chargemanage/cashsetting/addformula',
  editFormula: '/finance/chargemanage/cashsetting/editformula',
  addStandard: '/finance/chargemanage/cashsetting/addstandard',
  editStandard: '/finance/chargemanage/cashsetting/editstandard',
  standard: '/finance/chargemanage/cashsetting/standarddetail',
  roomStandards: '/service/data/roommange/addroomfeescale',
  shopStandards: '/service/data/roommangeshop/addshopfeescale',
  placeStandards: '/service/data/parklots/carportlist/addcarportfeescale',
  areaStandards: '/service/data/PublicAreaManage/addPublicFeescale',
} as const

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
    { path: paths.finance, title: '财务管理', needs: undefined, redirectTo: '/finance/indexFinance' },
    {
      path: paths.setting,
      title: '收费设置',
      needs: menu.item.permissions.view,
      section: 'fee',
      group: '收费设置',
      allProjects: true,
    },
    {
      path: paths.relations,
      title: '收费关联',
      needs: menu.relation.permissions.view,
      section: 'fee',
      group: '收费设置',
      allProjects: true,
    },
    {
      path: paths.bind,
      title: '批量绑定',
      needs: menu.relation.permissions.batch,
      section: 'fee',
      group: '收费设置',
    },
    {
      path: paths.addItem,
      title: '新增收费项目',
      needs: menu.item.permissions.add,
      allProjects: true,
    },
    {
      path: paths.editItem,
      title: '编辑收费项目',
      needs: menu.item.permissions.edit,
      allProjects: true,
    },
    {
      path: paths.addFormula,
      title: '新增公式',
      needs: menu.formula.permissions.add,
      allProjects: true,
    },
    {
      path: paths.editFormula,
      title: '编辑公式',
      needs: menu.formula.permissions.edit,
      allProjects: true,
    },
    {
      path: paths.addStandard,
      title: '新增收费标准',
      needs: menu.standard.permissions.add,
    },
    {
      path: paths.editStandard,
      title: '编辑收费标准',
      needs: menu.standard.permissions.edit,
      allProjects: true,
    },
    {
      path: paths.standard,
      title: '收费标准详情',
      needs: menu.standard.permissions.view,
      allProjects: true,
    },
    {
      path: paths.roomStandards,
      title: '房间收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
    {
      path: paths.shopStandards,
      title: '商铺收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
    {
      path: paths.placeStandards,
      title: '车位收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
    {
      path: paths.areaStandards,
      title: '公共区域收费标准',
      needs: menu.relation.permissions.batch,
      allProjects: true,
    },
  ],
})
