import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('wechat', {
  account: {
    label: '公众号',
    sensitive: true,
    buttons: { secret: '密钥与服务器配置', test: '测试连接', bind: '绑定项目' },
  },
  menu: { label: '公众号菜单', buttons: { publish: '发布' } },
  reply: { label: '自动回复' },
  material: { label: '公众号素材', buttons: { upload: '上传到微信' } },
  template: { label: '模板消息' },
  mass: { label: '公众号群发', buttons: { send: '群发' } },
  miniImage: { label: '小程序图片' },
})

const base = '/setting/baseSetting'
const list = `${base}/oalist`

/** Those below the list take the account as `?id=`. */
export const paths = {
  accounts: list,
  add: `${list}/add`,
  detail: `${list}/oadetail`,
  replies: `${list}/answer`,
  menu: `${list}/custommenu`,
  materials: `${list}/materiallist`,
  addMaterial: `${list}/addmate`,
  miniImages: `${base}/wxminiImage`,
} as const

const inGroup = { section: 'setting', group: '微信', allProjects: true } as const

export const manifest = defineModule({
  name: 'wechat',
  label: '微信公众号',
  menus: menu,
  screens: [
    {
      path: paths.accounts,
      title: '公众号',
      needs: menu.account.permissions.view,
      keywords: ['服务号', '订阅号', '自动回复', '自定义菜单', '素材', '模板消息', '群发'],
      ...inGroup,
    },
    { path: paths.add, title: '新增公众号', needs: menu.account.permissions.add, allProjects: true },
    { path: paths.detail, title: '公众号详情', needs: menu.account.permissions.view, allProjects: true },
    { path: paths.replies, title: '自动回复', needs: menu.reply.permissions.view, allProjects: true },
    { path: paths.menu, title: '自定义菜单', needs: menu.menu.permissions.view, allProjects: true },
    { path: paths.materials, title: '公众号素材', needs: menu.material.permissions.view, allProjects: true },
    { path: paths.addMaterial, title: '新增素材', needs: menu.material.permissions.add, allProjects: true },
    {
      path: paths.miniImages,
      title: '小程序图片',
      needs: menu.miniImage.permissions.view,
      keywords: ['轮播图', '启动页'],
      ...inGroup,
    },
  ],
})
