import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('integrations', {
  key: { label: '接口密钥', sensitive: true, buttons: { revoke: '吊销' } },
  webhook: {
    label: '事件推送',
    sensitive: true,
    buttons: { secret: '签名密钥', test: '测试', replay: '重新推送' },
  },
})

export const paths = {
  keys: '/setting/integration/apikey',
  keyForm: '/setting/integration/apikey/edit',
  keyDetail: '/setting/integration/apikey/detail',
  webhooks: '/setting/integration/webhook',
  webhookDetail: '/setting/integration/webhook/detail',
} as const

const inSettings = { section: 'setting', group: '系统对接', allProjects: true } as const
const { view: viewKeys } = menu.key.permissions
const { view: viewWebhooks } = menu.webhook.permissions

/** How programs of others reach the product, and how it reaches them. */
export const manifest = defineModule({
  name: 'integrations',
  label: '系统对接',
  sessionOnly: true,
  menus: menu,
  screens: [
    { path: '/setting/integration', title: '系统对接', needs: viewKeys, redirectTo: paths.keys },
    {
      path: paths.keys,
      title: '接口密钥',
      keywords: ['API Key', '开放接口', '对接'],
      needs: viewKeys,
      ...inSettings,
    },
    { path: paths.keyForm, title: '编辑接口密钥', needs: viewKeys, allProjects: true },
    { path: paths.keyDetail, title: '接口密钥详情', needs: viewKeys, allProjects: true },
    {
      path: paths.webhooks,
      title: '事件推送',
      keywords: ['Webhook', '回调', '对接'],
      needs: viewWebhooks,
      ...inSettings,
    },
    { path: paths.webhookDetail, title: '推送地址详情', needs: viewWebhooks, allProjects: true },
  ],
})
