import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('onboarding', {
  guide: { label: '初始化向导', buttons: { sample: '示例数据' } },
})

export const guidePath = '/setting/baseSetting/initGuide'

export const manifest = defineModule({
  name: 'onboarding',
  label: '初始化',
  menus: menu,
  screens: [
    {
      path: guidePath,
      title: '初始化向导',
      needs: menu.guide.permissions.edit,
      section: 'setting',
      group: '基础配置',
      allProjects: true,
    },
  ],
})
