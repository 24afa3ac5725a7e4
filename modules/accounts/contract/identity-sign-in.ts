import { call, everyone, publicAccess } from '#kit/contract/call.ts'
import { choiceTable, flag, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { passwordField } from './credential-fields.ts'
import { siteOriginRule } from './identity-provider.ts'
import { signInResult } from './sign-in.ts'

const siteField = text('站点', { required: true, max: 200, wire: 'Origin', rule: siteOriginRule })

/**
 * Where the browser goes, and what it keeps until it comes back: only the browser that left may come back
 * with the state.
 */
const departure = shape({
  address: text('身份平台的登录地址', { required: true, wire: 'Address' }),
  state: text('请求', { required: true, wire: 'State' }),
  browserKey: text('浏览器凭据', { required: true, wire: 'BrowserKey' }),
})

/** What the provider sent the browser back with, beside what the browser has kept. */
const returnFields = {
  state: text('请求', { required: true, max: 100, wire: 'State', masked: 'secret' }),
  browserKey: text('浏览器凭据', { required: true, max: 100, wire: 'BrowserKey', masked: 'secret' }),
  code: text('授权码', { max: 4000, wire: 'Code', masked: 'secret' }),
  iss: text('签发者', { max: 300, wire: 'Iss' }),
  error: text('错误', { max: 100, wire: 'Error' }),
} as const

export const beginIdentitySignIn = call({
  route: 'POST Manager/OidcBegin',
  title: '前往统一身份登录',
  needs: publicAccess,
  perMinute: 60,
  input: shape({ pageKey: text('登录页标识', { required: true, max: 40 }), origin: siteField }),
  output: departure,
})

/** Refused with `Totp` set where the account's dynamic code is wanted too; asked again with it. */
export const finishIdentitySignIn = call({
  route: 'POST Manager/OidcLogin',
  title: '统一身份登录',
  needs: publicAccess,
  perMinute: 60,
  input: shape({
    ...returnFields,
    totp: text('动态验证码', { max: 20, wire: 'Totp' }),
    device: text('设备凭据', { max: 200, wire: 'Device', masked: 'secret' }),
  }),
  output: signInResult,
})

export const beginIdentityBinding = call({
  route: 'POST Manager/OidcBindBegin',
  title: '前往绑定统一身份',
  needs: everyone,
  perMinute: 20,
  input: shape({ password: passwordField('当前密码'), origin: siteField }),
  output: departure,
})

export const finishIdentityBinding = call({
  route: 'POST Manager/OidcBind',
  title: '绑定统一身份',
  needs: everyone,
  perMinute: 20,
  affects: ['managerIdentity'],
  input: shape(returnFields),
  output: noData,
})

export const unbindOwnIdentity = call({
  route: 'POST Manager/OidcUnbind',
  title: '解除统一身份绑定',
  needs: everyone,
  perMinute: 20,
  affects: ['managerIdentity'],
  input: shape({ password: passwordField('当前密码') }),
  output: noData,
})

/** What the account has bound at the company's provider. */
export const getOwnIdentity = call({
  route: 'GET Manager/OidcIdentity',
  title: '我的统一身份',
  needs: everyone,
  input: noData,
  output: shape({
    isAvailable: flag('公司已启用', { required: true }),
    isBound: flag('已绑定', { required: true }),
    displayName: text('平台中的名称'),
  }),
})

/** What somebody went to the provider for. Internal: it is in no call. */
export const identityPurpose = choiceTable('IdentityPurpose', '前往身份平台的目的', {
  signIn: [10, '登录'],
  bind: [20, '绑定'],
})

/** How far it has come. `verified`: the provider has answered, the account's dynamic code is still wanted. */
export const identityStage = choiceTable('IdentityStage', '统一身份登录的进度', {
  started: [10, '已前往'],
  used: [20, '已返回'],
  verified: [30, '待动态验证码'],
})
