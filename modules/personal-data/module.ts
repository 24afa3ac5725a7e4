import { menus, defineModule } from '#kit/contract/module.ts'

/** Where the screens of the module stand. */
export const paths = {
  people: '/setting/privacy/person',
  erasures: '/setting/privacy/erasure',
  erasure: '/setting/privacy/erasure/detail',
  retention: '/setting/privacy/retention',
} as const

export const menu = menus('personal-data', {
  person: { label: '个人信息查询', sensitive: true, buttons: { takeout: '导出' } },
  erasure: { label: '删除请求', sensitive: true, buttons: { approve: '审批', execute: '执行删除' } },
  retention: { label: '保存期限', sensitive: true },
})

const inSettings = { section: 'setting', group: '个人信息保护', allProjects: true } as const

/** What is kept of a person, its erasure on request, and how long each kind of data is kept. */
export const manifest = defineModule({
  name: 'personal-data',
  label: '个人信息保护',
  sessionOnly: true,
  menus: menu,
  screens: [
    {
      path: paths.people,
      title: '个人信息查询',
      keywords: ['隐私'],
      needs: menu.person.permissions.view,
      ...inSettings,
    },
    {
      path: paths.erasures,
      title: '删除请求',
      keywords: ['注销'],
      needs: menu.erasure.permissions.view,
      ...inSettings,
    },
    {
      path: paths.erasure,
      title: '删除请求详情',
      needs: menu.erasure.permissions.view,
      allProjects: true,
    },
    {
      path: paths.retention,
      title: '保存期限',
      keywords: ['自动清除'],
      needs: menu.retention.permissions.view,
      ...inSettings,
    },
  ],
})
