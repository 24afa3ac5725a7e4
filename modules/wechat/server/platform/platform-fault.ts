/** The refusals of the platform as text for staff; a code that is not here is shown as it is. */
const textByCode: Readonly<Record<number, string>> = {
  [-1]: '微信系统繁忙，请稍后重试',
  40001: 'AppSecret 不正确，请在公众号中更换密钥',
  40003: '该微信用户不存在，或不属于该公众号',
  40007: '素材已被微信删除，请重新上传',
  40013: 'AppID 不正确，请核对公众号的 AppID',
  40018: '菜单名称过长，请缩短',
  40037: '消息模板不存在，请核对模板编号',
  40125: 'AppSecret 不正确，请在公众号中更换密钥',
  40164: '服务器的 IP 不在公众号的白名单中，请在微信公众平台添加',
  41030: '小程序页面不存在，请核对页面路径',
  43004: '用户已取消关注公众号',
  43101: '用户拒收消息',
  45001: '素材超过微信允许的大小',
  45009: '微信接口今天的调用次数已用完，请明天再试',
  45015: '用户超过 48 小时没有互动，不能发送客服消息',
  45028: '群发次数已用完',
  45065: '这次群发已经提交过',
  47003: '消息模板的内容不符，请核对字段',
  48001: '公众号未开通该功能，请确认已认证',
  50002: '公众号被微信限制使用',
}

/** A refusal of the platform; its own text is the cause, for the log. */
export class PlatformFault extends Error {
  readonly errcode: number
  /** Of a mass message that was submitted before: the number it has. */
  readonly messageId: unknown
  constructor(errcode: number, errmsg: string, messageId?: unknown) {
    super(textByCode[errcode] ?? `微信不接受（错误码 ${errcode}）`, {
      cause: new Error(`WeChat: ${errcode} ${errmsg}`),
    })
    this.errcode = errcode
    this.messageId = messageId
  }
}

/** The platform cannot be reached, or does not answer in time. */
export class PlatformAway extends Error {
  constructor(cause: unknown) {
    super('连接不上微信服务器，或等不到答复，请稍后重试', { cause })
  }
}

/** The access token ran out or was replaced. */
export const isTokenFault = (errcode: number | undefined): boolean =>
  errcode === 40001 || errcode === 40014 || errcode === 42001

/** The same may be taken a little later: nobody answers, or the platform is busy. */
export const isPassing = (error: unknown): boolean =>
  error instanceof PlatformAway || (error instanceof PlatformFault && error.errcode === -1)
