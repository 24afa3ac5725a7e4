import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('approvals', {
  process: { label: '审批设置', sensitive: true },
  instance: { label: '审批数据', sensitive: true, buttons: { export: '导出', manage: '终止与改派' } },
})

const personnel = '/internal/personnel'

export const paths = {
  settings: `${personnel}/approvalSet`,
  design: `${personnel}/approvalSet/design`,
  data: `${personnel}/approvalData`,
  history: `${personnel}/approvalData/history`,
  detail: `${personnel}/approvalData/details`,
  print: `${personnel}/approvalData/print`,
  own: '/internal/approval',
  request: '/internal/approval/request',
  /** On the phone; outside the shell. */
  phone: '/internal/approval/phone',
} as const

const group = { section: 'internal', group: '审批', allProjects: true } as const
const viewData = menu.instance.permissions.view
const viewSettings = menu.process.permissions.view

export const manifest = defineModule({
  name: 'approvals',
  label: '审批',
  menus: menu,
  screens: [
    { path: paths.own, title: '我的审批', needs: undefined, ...group },
    { path: paths.data, title: '审批数据', needs: viewData, ...group },
    { path: paths.history, title: '审批历史', needs: viewData, ...group },
    { path: paths.settings, title: '审批设置', needs: viewSettings, ...group },
    { path: paths.design, title: '审批流程', needs: menu.process.permissions.edit, allProjects: true },
    { path: paths.request, title: '发起审批', needs: undefined, allProjects: true },
    { path: paths.detail, title: '审批详情', needs: undefined, allProjects: true },
    { path: paths.print, title: '审批单', needs: undefined, standalone: true },
    { path: paths.phone, title: '手机审批', needs: undefined, standalone: true },
  ],
})
