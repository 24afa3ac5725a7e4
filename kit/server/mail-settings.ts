import { numberSetting, textSetting, wordSetting, type Setting, type SettingGroup } from './setting.ts'

/** How the connection is encrypted. */
const tlsSetting = wordSetting(
  'SMTP_TLS',
  'starttls',
  ['starttls', 'implicit', 'none'],
  '`starttls`：连接后加密，服务器不支持时不发送；`implicit`：从一开始就加密；`none`：不加密，仅限内网',
)

export const mailSettings = {
  host: textSetting('SMTP_HOST', '', '邮件服务器的地址；不设时不发送邮件', text =>
    /^[\w.:[\]-]+$/.test(text) ? undefined : '应为主机名或 IP 地址',
  ),
  port: numberSetting(
    'SMTP_PORT',
    undefined,
    { min: 1, max: 65_535 },
    '邮件服务器的端口；不设时 `implicit` 为 465，其余为 587',
  ),
  tls: tlsSetting,
  user: textSetting('SMTP_USER', '', '邮件服务器的账号；不设时不登录'),
  password: textSetting('SMTP_PASSWORD', '', '邮件服务器的口令或授权码'),
  from: textSetting('SMTP_FROM', '', '发件人，如 `安居 <notice@example.com>`；不设时为 `SMTP_USER`', text =>
    /^([^<>]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(text)
      ? undefined
      : '应为一个邮箱，可以写作「名称 <邮箱>」',
  ),
} satisfies Record<string, Setting<unknown>>

export const mailSettingGroup: SettingGroup = { title: '邮件', settings: Object.values(mailSettings) }
