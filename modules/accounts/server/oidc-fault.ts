import { ForbiddenTarget } from '#kit/server/outbound-target.ts'
import { errorCode } from '#kit/server/database-error.ts'
import { identitySettings } from './settings.ts'

const askAdministrator = '请联系管理员核对「统一身份认证」的设置'
const otherWay = '请稍后再试，或改用账号密码登录'

const memberOf = (error: unknown, key: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined

/** The code that the provider gave (`access_denied`). It comes through the browser: only a word is shown. */
export function providerCode(error: unknown): string | undefined {
  const code = memberOf(error, 'error')
  return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : undefined
}

/** In the answer to the browser, or in that to the server. */
const messageByProviderCode: Readonly<Record<string, string>> = {
  access_denied: '已在身份平台取消登录',
  login_required: '身份平台需要重新登录，请重试',
  invalid_grant: '登录凭证已失效或已使用过，请重新登录',
  invalid_scope: `身份平台不接受所填的授权范围，${askAdministrator}`,
  temporarily_unavailable: `身份平台暂时不可用，${otherWay}`,
}

const notConform = `身份平台的应答不符合 OpenID Connect，${askAdministrator}`
const notGenuine = '身份平台发来的身份凭证未通过核验，请重新登录；仍不行请联系管理员'

const unknownClient = `身份平台不认可本系统的客户端编号或密钥，${askAdministrator}`

/** The provider does not know the client, by its code or by HTTP 401. */
export const isClientRefused = (error: unknown): boolean =>
  ['invalid_client', 'unauthorized_client'].includes(providerCode(error) ?? '') ||
  errorCode(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'

const messageByCode: Readonly<Record<string, string>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: notConform,
  OAUTH_RESPONSE_IS_NOT_JSON: notConform,
  OAUTH_PARSE_ERROR: notConform,
  OAUTH_MISSING_SERVER_METADATA: notConform,
  OAUTH_INVALID_SERVER_METADATA: notConform,
  OAUTH_UNSUPPORTED_OPERATION: notConform,
  OAUTH_HTTP_REQUEST_FORBIDDEN: '身份平台的地址应以 https:// 开头，请联系管理员',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    '身份平台发来的身份凭证已过期，请重新登录；仍不行请管理员核对服务器的时间',
  OAUTH_INVALID_RESPONSE: notGenuine,
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: notGenuine,
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: `身份平台自称的签发者与所填的不同，${askAdministrator}`,
  OAUTH_KEY_SELECTION_FAILED: notGenuine,
}

/** Why the network did not reach the provider. */
const messageBySystemCode: Readonly<Record<string, string>> = {
  ENOTFOUND: '身份平台的域名不存在或无法解析',
  EAI_AGAIN: '域名解析失败',
  ECONNREFUSED: '身份平台拒绝连接',
  ECONNRESET: '与身份平台的连接中断',
  ETIMEDOUT: '连接身份平台超时',
  EHOSTUNREACH: '网络不通',
  ENETUNREACH: '网络不通',
  CERT_HAS_EXPIRED: '身份平台的证书已过期',
  DEPTH_ZERO_SELF_SIGNED_CERT: '身份平台的证书是自签名的',
  SELF_SIGNED_CERT_IN_CHAIN: '身份平台的证书由未知机构签发',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: '身份平台的证书链不完整',
  ERR_TLS_CERT_ALTNAME_INVALID: '身份平台的证书与域名不符',
}

/**
 * Why a provider could not be asked, or what was wrong with its answer, as text for the person signing in.
 */
export function describeFault(error: unknown): string {
  const code = errorCode(error)
  if (code === 'OAUTH_TIMEOUT')
    return `身份平台 ${identitySettings.timeoutSeconds.read()} 秒内未应答，${otherWay}`
  if (isClientRefused(error)) return unknownClient
  const refused = providerCode(error)
  if (refused !== undefined)
    return messageByProviderCode[refused] ?? `身份平台没有同意登录（${refused}），请重试或联系管理员`
  const known = messageByCode[code]
  if (known !== undefined) return known
  const cause = memberOf(error, 'cause') ?? error
  if (cause instanceof ForbiddenTarget) return `${cause.message}，${askAdministrator}`
  const systemCode = errorCode(cause)
  const reason = messageBySystemCode[systemCode] ?? systemCode
  return `无法连接身份平台${reason ? `（${reason}）` : ''}，${otherWay}`
}

/** What the log keeps: never the whole error, which holds tokens and answers. */
export const faultForLog = (error: unknown): object => ({
  name: memberOf(error, 'name'),
  code: errorCode(error),
  error: providerCode(error),
  cause: errorCode(memberOf(error, 'cause')),
})
