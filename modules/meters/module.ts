import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('meters', {
  meter: {
    label: '仪表',
    buttons: {
      import: '导入',
      export: '导出',
      replace: '换表',
      standard: '设置收费标准',
      label: '打印二维码',
    },
  },
  plan: { label: '抄表计划' },
  reading: {
    label: '抄表',
    buttons: { import: '导入', export: '导出', confirm: '确认异常', clear: '清除月份', phone: '手机抄表' },
  },
})

export const manifest = defineModule({
  name: 'meters',
  label: '仪表与抄表',
  menus: menu,
  screens: [
    {
      path: '/intelligentMeter',
      title: '智能抄表',
      needs: menu.reading.permissions.view,
      redirectTo: '/intelligentMeter/checkmeter',
    },
    {
      path: '/intelligentMeter/checkmeter',
      title: '抄表',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
    },
    {
      path: '/intelligentMeter/checkmeter/records',
      title: '抄表记录',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: '/intelligentMeter/checkmeter/autocheckmeter',
      title: '自动抄表',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: '/intelligentMeter/plan',
      title: '抄表计划',
      needs: menu.plan.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: '/intelligentMeter/report',
      title: '用量与损耗',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
    },
    {
      path: '/intelligence/metermanage',
      title: '仪表管理',
      needs: menu.meter.permissions.view,
      redirectTo: '/intelligence/metermanage/metermanage',
    },
    {
      path: '/intelligence/metermanage/metermanage',
      title: '仪表',
      needs: menu.meter.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: '/intelligentMeter/checkmeter/mobilemeterreading',
      title: '手机抄表',
      needs: menu.reading.permissions.phone,
      section: 'fee',
      group: '仪表与抄表',
      standalone: true,
    },
  ],
})
