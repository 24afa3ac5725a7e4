import type { Action } from '#kit/web/action.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { createReasonAction, sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import {
  deleteWebhooks,
  replayDeliveries,
  rotateWebhookSecret,
  sendTestEvent,
  setWebhookState,
  type WebhookEndpoint,
} from '../contract/webhook.ts'
import { menu, paths } from '../module.ts'

const { permissions } = menu.webhook

export const openWebhook = ({ id }: Pick<WebhookEndpoint, 'id'>): void =>
  navigateTo(`${paths.webhookDetail}?id=${id}`)

export const deleteWebhook = createReasonAction<WebhookEndpoint>(deleteWebhooks, {
  unit: '个推送地址',
  nameOf: row => row.name,
  consequences: ['待推送的事件不再推送'],
  reasonPresets: ['不再使用', '录入有误'],
})

export const stateAction = (row: WebhookEndpoint): Action => {
  const isOn = row.state === 'on'
  return {
    label: isOn ? '停用' : '启用',
    needs: permissions.edit,
    run: async () => {
      const isSure =
        !isOn ||
        (await confirm({
          title: `停用「${row.name}」`,
          text: '停用期间的事件不推送，启用后也不补发；已在等待的启用后继续推送。',
          okLabel: '停用',
        }))
      if (!isSure) return
      await sendAndToast(
        setWebhookState,
        { id: row.id, isOn: !isOn },
        isOn ? `已停用「${row.name}」` : `已启用「${row.name}」`,
      )
    },
  }
}

export const testAction = (row: WebhookEndpoint): Action => ({
  label: '推送测试事件',
  needs: permissions.test,
  disabledReason: row.state === 'on' ? undefined : '推送已停用',
  run: async () => {
    await sendAndToast(sendTestEvent, { id: row.id }, '已推送测试事件，结果见推送记录')
  },
})

/** After the receiver is mended: what waits need not wait for its next attempt. */
export const sendNowAction = (row: WebhookEndpoint): Action => ({
  label: '立即推送',
  needs: permissions.replay,
  disabledReason:
    row.state === 'on' ? (row.pendingCount ? undefined : '没有待推送的事件') : '推送已停用，请先启用',
  run: async () => {
    await sendAndToast(
      replayDeliveries,
      { endpointId: row.id, onlyWaiting: true },
      '已开始推送，结果见推送记录',
    )
  },
})

export interface NewSecret {
  readonly name: string
  readonly secret: string
  readonly until?: string
}

export const rotateAction = (row: WebhookEndpoint, show: (secret: NewSecret) => void): Action => ({
  label: '更换签名密钥',
  needs: permissions.secret,
  danger: true,
  run: async () => {
    const isSure = await confirm({
      title: `更换「${row.name}」的签名密钥`,
      text: '原密钥 24 小时内仍同时签名，请在此期间更新接收程序。',
      okLabel: '更换',
      danger: true,
    })
    if (!isSure) return
    const { secret, previousUntil } = await sendAndInvalidate(rotateWebhookSecret, { id: row.id })
    show({ name: row.name, secret, until: previousUntil })
  },
})
