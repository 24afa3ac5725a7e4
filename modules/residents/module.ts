import { menus, defineModule } from '#kit/contract/module.ts'

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
    { path: '/customer', title: '客户管理', needs: undefined, redirectTo: '/customer/usermanage' },
    {
      path: '/customer/usermanage',
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
    { path: '/customer/usermanage/adduser', title: '新增住户', needs: menu.resident.permissions.add },
    {
      path: '/customer/usermanage/edituser',
      title: '编辑住户',
      needs: menu.resident.permissions.edit,
      allProjects: true,
    },
    {
      path: '/customer/usermanage/userdetail',
      title: '住户详情',
      needs: menu.resident.permissions.view,
      allProjects: true,
    },
    { path: '/customer/usermanage/immigration', title: '住户入住', needs: menu.resident.permissions.add },
    {
      path: '/customer/usermanage/residency',
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
      path: '/customer/usermanage/movements',
      title: '住户变动',
      needs: menu.resident.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    {
      path: '/customer/usermanage/blocklist',
      title: '黑名单',
      needs: menu.block.permissions.view,
      section: 'people',
      group: '客户管理',
      allProjects: true,
    },
    {
      path: '/customer/usermanage/merge',
      title: '合并重复住户',
      needs: menu.resident.permissions.merge,
      allProjects: true,
    },
    {
      path: '/baseuserlist',
      title: '基础人员列表',
      needs: menu.resident.permissions.view,
      section: 'people',
      group: '人员资料',
      allProjects: true,
    },
    { path: '/addbaseuser', title: '新增基础人员', needs: menu.resident.permissions.add, allProjects: true },
    {
      path: '/baseuserdetail',
      title: '基础人员详情',
      needs: menu.resident.permissions.view,
      allProjects: true,
    },
    { path: '/residentwx', title: '绑定微信', needs: undefined, standalone: true },
    {
      path: '/customer/usermanage/cards',
      title: '门禁卡',
      needs: menu.card.permissions.view,
      section: 'people',
      group: '人员资料',
      allProjects: true,
    },
    {
      path: '/customer/usermanage/faces',
      title: '人脸',
      needs: menu.card.permissions.view,
      section: 'people',
      group: '人员资料',
      allProjects: true,
    },
  ],
})
