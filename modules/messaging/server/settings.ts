import { numberSetting, type Setting, type SettingGroup } from '#kit/server/setting.ts'

export const messageSettings = {
  smsPerSecond: numberSetting(
    'SMS_PER_SECOND',
    100,
    { min: 1, max: 5000 },
    '每秒最多发送的短信条数，所有服务进程合计',
  ),
} satisfies Record<string, Setting<unknown>>

export const messagingSettings: SettingGroup = {
  title: '消息发送',
  settings: Object.values(messageSettings),
}
