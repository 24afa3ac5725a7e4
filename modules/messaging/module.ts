import { crudScreens } from '#kit/contract/crud-screens.ts'
import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('messaging', {
  sms: {
    label: '短信管理',
    sensitive: true,
    buttons: { cancel: '停止发送', resend: '重发失败', export: '导出' },
  },
  record: { label: '发送记录', buttons: { export: '导出', settle: '核对结果' } },
  quota: { label: '短信额度', buttons: { warn: '预警设置', export: '导出' } },
  template: { label: '短信模板', buttons: { review: '登记审核结果' } },
  block: { label: '退订与黑名单' },
})

export const smsScreens = crudScreens(menu.sms, {
  path: '/notice/shortlist',
  title: '短信管理',
  noun: '短信',
  section: 'people',
  group: '信息公告',
  add: 'addsms',
  detail: 'smsdetail',
})

export const paths = {
  sms: smsScreens.paths.list,
  statistics: '/business/statisticsCenter/messagestatic',
} as const

export const manifest = defineModule({
  name: 'messaging',
  label: '消息发送',
  menus: menu,
  screens: [
    ...smsScreens.screens,
    {
      path: paths.statistics,
      title: '消息统计',
      needs: menu.record.permissions.view,
      section: 'people',
      group: '信息公告',
      allProjects: true,
    },
  ],
})
