import { numberSetting, textSetting, type Setting, type SettingGroup } from '#kit/server/setting.ts'

export const messageSettings = {
  smsPerSecond: numberSetting(
    'SMS_PER_SECOND',
    100,
    { min: 1, max: 5000 },
    '每秒最多发送的短信条数，所有服务进程合计',
  ),
  reportKey: textSetting(
    'SMS_REPORT_KEY',
    '',
    '短信回执地址的密钥（至少 24 位）：回执 `/api/sms/report/密钥`，上行 `/api/sms/reply/密钥`，在短信服务商处登记',
  ),
} satisfies Record<string, Setting<unknown>>

export const messagingSettings: SettingGroup = {
  title: '消息发送',
  settings: Object.values(messageSettings),
}
