import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('files', {
  file: {
    label: '文件管理',
    buttons: {
      download: '下载',
      share: '分享',
      purge: '彻底删除',
      special: '维护推送与内核目录',
    },
  },
})

export const manifest = defineModule({ name: 'files', label: '云文件', menus: menu, screens: [] })
