import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('parking-cameras', {
  camera: { label: '停车相机', buttons: { key: '更换密钥' } },
  reading: { label: '车牌识别记录', buttons: { check: '核对车牌' } },
})

/** Its screens are tabs of 停车设置 and 出入记录. */
export const manifest = defineModule({
  name: 'parking-cameras',
  label: '停车相机',
  menus: menu,
  screens: [],
})
