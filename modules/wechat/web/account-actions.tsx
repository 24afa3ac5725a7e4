import type { Action } from '#kit/web/action.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { SecretDialog } from '#kit/web/secret-dialog.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  resetServerConfig,
  saveAppSecret,
  testWechatAccount,
  type WechatAccount,
} from '../contract/account.ts'
import { menu, paths } from '../module.ts'

const { permissions } = menu.account

export interface ServerConfig {
  readonly mpName: string
  readonly address: string
  readonly token: string
  readonly encodingAesKey: string
}

export const SecretForm = actionDialog({
  call: saveAppSecret,
  title: (account: WechatAccount) => `更换「${account.mpName}」的 AppSecret`,
  submitLabel: '更换',
  keys: ['appSecret'],
  target: ({ id }) => ({ id }),
  doneText: ({ mpName }) => `已更换「${mpName}」的 AppSecret，请测试连接`,
})

/** A new token and key: what the platform has now stops working. */
export const configAction = (account: WechatAccount, show: (config: ServerConfig) => void): Action => ({
  label: account.hasServerConfig ? '重新生成服务器配置' : '生成服务器配置',
  needs: permissions.secret,
  danger: account.hasServerConfig === true,
  run: async () => {
    const isSure =
      !account.hasServerConfig ||
      (await confirm({
        title: `重新生成「${account.mpName}」的服务器配置`,
        text: '原令牌与密钥立即失效，在微信公众平台更新之前不能接收消息。',
        okLabel: '重新生成',
        danger: true,
      }))
    if (!isSure) return
    const config = await sendAndInvalidate(resetServerConfig, { id: account.id })
    show({ mpName: account.mpName, ...config })
  },
})

export const testAction = (account: WechatAccount): Action => ({
  label: '测试连接',
  needs: permissions.test,
  disabledReason: account.hasStoredSecret ? undefined : '请先填写 AppSecret',
  run: async () => {
    const { isOk, message } = await sendAndInvalidate(testWechatAccount, { id: account.id })
    if (isOk) {
      toast.success(message)
    } else {
      toast.error(message)
    }
  },
})

/** Plays a follower: only where the account is one of the simulator. */
export const phoneAction = ({ simulatorUrl }: WechatAccount): Action | false =>
  simulatorUrl !== undefined && {
    label: '打开模拟微信',
    run: () => void window.open(simulatorUrl, '_blank', 'noopener'),
  }

const pageAction =
  (label: string, path: string, needs: Action['needs']) =>
  (account: WechatAccount): Action => ({
    label,
    ...(needs ? { needs } : {}),
    run: () => navigateTo(`${path}?id=${account.id}`),
  })

const pageActions = [
  pageAction('自动回复', paths.replies, menu.reply.permissions.view),
  pageAction('自定义菜单', paths.menu, menu.menu.permissions.view),
  pageAction('素材', paths.materials, menu.material.permissions.view),
]

export const linkActions = (account: WechatAccount): Action[] =>
  account.mpType === 'mini' ? [] : pageActions.map(action => action(account))

/** Three values to copy, shown once: the token beside the address, the key as what is used with it. */
export const ConfigDialog = ({
  config: { mpName, address, token, encodingAesKey },
  onClose,
}: {
  readonly config: ServerConfig
  readonly onClose: () => void
}) => (
  <SecretDialog
    title={`「${mpName}」的服务器配置`}
    label="令牌与消息加解密密钥"
    secret={`Token：${token}\nEncodingAESKey：${encodingAesKey}`}
    address={location.origin + address}
    onClose={onClose}
  />
)
