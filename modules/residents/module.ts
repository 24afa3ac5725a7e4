import { menus, defineModule } from '#kit/contract/module.ts'

/** Where the screens of the module stand. */
export const paths = {
  customers: '/customer',
  list: '/customer/usermanage',
  add: '/customer/usermanage/adduser',
  edit: '/customer/usermanage/edituser',
  see: '/customer/usermanage/userdetail',
  moveIn: '/customer/usermanage/immigration',
  links: '/customer/usermanage/residency',
  moves: '/customer/usermanage/movements',
  blocks: '/customer/usermanage/blocklist',
  merge: '/customer/usermanage/merge',
  people: '/baseuserlist',
  addPerson: '/addbaseuser',
  seePerson: '/baseuserdetail',
  wechatPage: '/residentwx',
  cards: '/customer/usermanage/cards',
  faces: '/customer/usermanage/faces',
} as const

export const menu = menus('residents', {
  resident: {
    label: '住户管理',
    buttons: { import: '导入', export: '导出', mobile: '变更手机号', merge: '合并' },
  },
  link: {
    label: '入住与迁出',
    buttons: { audit: '审核', checkout: '迁出', checkin: '再次入住', transfer: '过户' },
  },
  block: { label: '黑名单' },
  card: { label: '门禁卡与人脸' },
})

export const manifest = defineModule({
  name: 'residents',
  label: '住户',
  menus: menu,
  screens: [
    { path: paths.customers, title: '客户管理', needs: undefined, redirectTo: paths.list },
    {
      path: paths.list,
      title: '住户管理',
      keywords: [
        { text: '变更手机号', query: 'do=mobile', right: menu.resident.permissions.mobile.key },
        {
          text: '换手机号',
          label: '变更手机号',
          query: 'do=mobile',
          right: menu.resident.permissions.mobile.key,
        },
      ],
      needs: menu.resident.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    { path: paths.add, title: '新增住户', needs: menu.resident.permissions.add },
    {
      path: paths.edit,
      title: '编辑住户',
      needs: menu.resident.permissions.edit,
      allProjects: true,
    },
    {
      path: paths.see,
      title: '住户详情',
      needs: menu.resident.permissions.view,
      allProjects: true,
    },
    { path: paths.moveIn, title: '住户入住', needs: menu.resident.permissions.add },
    {
      path: paths.links,
      title: '入住与迁出',
      keywords: [
        { text: '过户', query: 'do=transfer', right: menu.link.permissions.transfer.key },
        { text: '迁出', query: 'do=checkout', right: menu.link.permissions.checkout.key },
        { text: '再次入住', query: 'view=left', right: menu.link.permissions.checkin.key },
      ],
      needs: menu.resident.permissions.view,
      workNeeds: menu.link.permissions.transfer,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    {
      path: paths.moves,
      title: '住户变动',
      needs: menu.resident.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    {
      path: paths.blocks,
      title: '黑名单',
      needs: menu.block.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    {
      path: paths.merge,
      title: '合并重复住户',
      needs: menu.resident.permissions.merge,
      allProjects: true,
    },
    {
      path: paths.people,
      title: '基础人员列表',
      needs: menu.resident.permissions.view,
      section: 'people',
      group: '人员资料',
      allProjects: true,
    },
    { path: paths.addPerson, title: '新增基础人员', needs: menu.resident.permissions.add, allProjects: true },
    {
      path: paths.seePerson,
      title: '基础人员详情',
      needs: menu.resident.permissions.view,
      allProjects: true,
    },
    { path: paths.wechatPage, title: '绑定微信', needs: undefined, standalone: true },
    {
      path: paths.cards,
      title: '门禁卡',
      needs: menu.card.permissions.view,
      section: 'people',
      group: '人员资料',
      allProjects: true,
    },
    {
      path: paths.faces,
      title: '人脸',
      needs: menu.card.permissions.view,
      section: 'people',
      group: '人员资料',
      allProjects: true,
    },
  ],
})
