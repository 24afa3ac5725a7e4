import { useState } from 'react'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { wechatAccounts, type WechatAccount } from '../contract/account.ts'
import { authState } from '../contract/choices.ts'
import { menu, paths } from '../module.ts'
import {
  ConfigDialog,
  configAction,
  linkActions,
  phoneAction,
  SecretForm,
  testAction,
  type ServerConfig,
} from './account-actions.tsx'

const loadTabs = () => import('./account-tabs.tsx')
const Bindings = lazyComponent(() => loadTabs().then(m => m.Bindings))
const Templates = lazyComponent(() => loadTabs().then(m => m.Templates))
const Followers = lazyComponent(() => loadTabs().then(m => m.Followers))
const Masses = lazyComponent(() => loadTabs().then(m => m.Masses))

function useAccountExtras(): CrudExtras<WechatAccount, unknown> {
  const [secretOf, setSecretOf] = useState<WechatAccount>()
  const [config, setConfig] = useState<ServerConfig>()
  return {
    actions: account => [
      ...linkActions(account),
      phoneAction(account),
      testAction(account),
      !account.simulated && {
        label: '更换 AppSecret',
        needs: menu.account.permissions.secret,
        run: () => setSecretOf(account),
      },
      !account.simulated && configAction(account, setConfig),
    ],
    dialogs: (
      <>
        {secretOf && <SecretForm record={secretOf} onClose={() => setSecretOf(undefined)} />}
        {config && <ConfigDialog config={config} onClose={() => setConfig(undefined)} />}
      </>
    ),
  }
}

const stateText = (row: WechatAccount): string => {
  if (row.authState === undefined) return '未测试'
  return row.authState === 'authorized' ? '已授权' : '已失效'
}

const StateCell = ({ authState: state }: WechatAccount) =>
  state ? <ChoiceStatus choices={authState} value={state} /> : '未测试'

export const pages = crudPages(wechatAccounts, {
  paths: { add: paths.add, detail: paths.detail },
  unit: '个公众号',
  status: row => (row.authState ? <ChoiceStatus choices={authState} value={row.authState} /> : null),
  useExtras: useAccountExtras,
  deletion: {
    consequences: ['不再接收和回复微信消息；仍绑定项目的不能删除'],
    reasons: ['不再使用', '录入有误', '更换公众号'],
  },
  columns: [
    { key: 'mpName', identity: true, width: 140, grow: 2 },
    { key: 'mpType', width: 88 },
    { key: 'appId', width: 170, hidePriority: 2 },
    { key: 'projectNames', width: 160, grow: 2, hidePriority: 1 },
    { key: 'followers', width: 88 },
    {
      key: 'authState',
      width: 96,
      text: stateText,
      render: StateCell,
    },
  ],
  detail: [
    { keys: ['mpName', 'mpType', 'appId', 'originalId', 'simulated', 'messageMode'] },
    {
      title: '连接',
      keys: [
        'hasStoredSecret',
        'hasServerConfig',
        { key: 'authState', render: StateCell },
        'authFault',
        'testTime',
      ],
    },
    { title: '使用', keys: ['projectNames', 'followers', 'mchId'] },
  ],
  form: {
    presentation: 'dialog',
    addGroups: [
      {
        keys: [
          'mpName',
          'mpType',
          { key: 'simulated', wide: true },
          'appId',
          { key: 'appSecret', isHidden: (values: Partial<WechatAccount>) => values.simulated === true },
          'originalId',
          'messageMode',
        ],
      },
    ],
    groups: [{ keys: ['mpName', 'mpType', 'originalId', 'messageMode'] }],
  },
  list: {
    filters: ['mpType', 'authState'],
    barFilters: ['mpType', 'authState'],
    keywordPlaceholder: '名称、AppID',
  },
  tabs: [
    { key: 'estates', label: '绑定项目', body: account => <Bindings account={account} /> },
    {
      key: 'templates',
      label: '模板消息',
      needs: menu.template.permissions.view,
      body: account => <Templates account={account} />,
    },
    {
      key: 'followers',
      label: '关注者',
      needs: menu.mass.permissions.view,
      body: account => <Followers account={account} />,
    },
    {
      key: 'masses',
      label: '群发',
      needs: menu.mass.permissions.view,
      body: account => <Masses account={account} />,
    },
  ],
})
