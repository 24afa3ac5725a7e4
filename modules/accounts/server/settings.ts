import {
  addressSetting,
  flagSetting,
  numberSetting,
  prefixedSetting,
  textSetting,
  wordSetting,
  type Setting,
  type SettingGroup,
} from '#kit/server/setting.ts'

export const smsSettings = {
  endpoint: addressSetting(
    'SMS_ENDPOINT',
    '',
    '短信网关的地址，例如 `https://dysmsapi.aliyuncs.com/`、`https://sms.tencentcloudapi.com/`；不设时使用本机的短信模拟器',
  ),
  provider: wordSetting('SMS_PROVIDER', 'aliyun', ['aliyun', 'tencent'], '短信服务商：阿里云或腾讯云'),
  appId: textSetting('SMS_APP_ID', '', '腾讯云短信的应用编号（SdkAppId）'),
  region: textSetting('SMS_REGION', 'ap-guangzhou', '腾讯云短信的地域'),
  keyId: textSetting('SMS_KEY_ID', '', '短信网关的访问编号'),
  keySecret: textSetting('SMS_KEY_SECRET', '', '短信网关的访问密钥'),
  signName: textSetting('SMS_SIGN_NAME', '安居', '短信签名'),
  templates: prefixedSetting(
    'SMS_TEMPLATE_',
    '短信的模板编号：`SMS_TEMPLATE_CODE` 验证码（参数 code、purpose），`SMS_TEMPLATE_WORK_ORDER_PAY` 工单催付（orderNo、url），`SMS_TEMPLATE_WORK_ORDER_WARNING` 工单预警（count），`SMS_TEMPLATE_FEE_DEMAND` 催缴（content），`SMS_TEMPLATE_MASS_NOTICE` 群发（content）；腾讯云的模板按此顺序取参数',
  ),
  reportKey: textSetting(
    'SMS_REPORT_KEY',
    '',
    '短信回执地址的密钥（至少 24 位）：回执 `/api/sms/report/密钥`，上行 `/api/sms/reply/密钥`，在短信服务商处登记',
  ),
} satisfies Record<string, Setting<unknown>>

export const wechatSettings = {
  appId: textSetting('WECHAT_APP_ID', '', '微信公众号的编号；不设时使用本机的微信模拟器'),
  appSecret: textSetting('WECHAT_APP_SECRET', '', '微信公众号的密钥'),
  authorizeUrl: addressSetting(
    'WECHAT_AUTHORIZE_URL',
    'https://open.weixin.qq.com/connect/oauth2/authorize',
    '微信授权页的地址',
  ),
  apiUrl: addressSetting('WECHAT_API_URL', 'https://api.weixin.qq.com', '微信接口的地址'),
  templates: prefixedSetting('WECHAT_TEMPLATE_', '各种微信消息的模板编号'),
} satisfies Record<string, Setting<unknown>>

export const identitySettings = {
  allowPrivateProviders: flagSetting(
    'OIDC_PRIVATE_PROVIDERS',
    false,
    '`1`：统一身份认证可以连接内网、本机地址与 `http` 的身份平台；不设时只连接公网的 `https`',
  ),
  timeoutSeconds: numberSetting('OIDC_TIMEOUT', 10, { min: 1, max: 60 }, '等待身份平台应答的秒数'),
} satisfies Record<string, Setting<unknown>>

export const accountsSettings: SettingGroup = {
  title: '短信、微信与统一身份认证',
  settings: [
    ...Object.values(smsSettings),
    ...Object.values(wechatSettings),
    ...Object.values(identitySettings),
  ],
}
