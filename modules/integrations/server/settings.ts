import { flagSetting, numberSetting, type Setting, type SettingGroup } from '#kit/server/setting.ts'

const days = { min: 1, max: 3650 }

export const integrationSettings = {
  keyLogDays: numberSetting('API_KEY_LOG_DAYS', 90, days, '接口密钥的调用记录保留的天数'),
  webhookLogDays: numberSetting('WEBHOOK_LOG_DAYS', 30, days, '事件推送记录保留的天数；待推送的不删'),
  allowPrivateWebhooks: flagSetting(
    'WEBHOOK_PRIVATE_TARGETS',
    false,
    '`1`：事件可以推送到内网、本机地址与 `http`；不设时只推送到公网的 `https`',
  ),
} satisfies Record<string, Setting<unknown>>

export const integrationSettingGroup: SettingGroup = {
  title: '系统对接',
  settings: Object.values(integrationSettings),
}
