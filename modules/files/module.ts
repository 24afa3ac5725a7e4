import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('files', {
  file: {
    label: '云文件',
    buttons: {
      download: '下载',
      share: '分享',
      purge: '彻底删除',
      special: '维护推送与内核目录',
    },
  },
})

export const paths = {
  manager: '/wisdom/filemgr',
  bin: '/wisdom/recyclebin',
  share: '/share',
} as const

export const manifest = defineModule({
  name: 'files',
  label: '云文件',
  menus: menu,
  screens: [
    { path: '/wisdom', title: '智慧平台', needs: undefined, redirectTo: paths.manager },
    {
      path: paths.manager,
      title: '云文件',
      needs: menu.file.permissions.view,
      section: 'files',
      group: '云文件',
      keywords: ['文件管理'],
      collapsedPanel: true,
    },
    {
      path: paths.bin,
      title: '回收站',
      needs: menu.file.permissions.view,
      section: 'files',
      group: '云文件',
      collapsedPanel: true,
    },
    { path: paths.share, title: '文件分享', needs: undefined, standalone: true },
    {
      path: '/intelligence/filemgr',
      title: '云文件',
      needs: menu.file.permissions.view,
      collapsedPanel: true,
    },
  ],
})
