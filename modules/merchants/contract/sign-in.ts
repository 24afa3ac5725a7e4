import { call, publicAccess } from '#kit/contract/call.ts'
import { flag, idOf, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import {
  captchaFields,
  newPasswordField,
  passwordField,
  requiredCaptchaFields,
} from '#modules/accounts/contract/credential-fields.ts'

const basePath = 'merchant/v1/session'

/** Many shops are behind one address of a mobile network; wrong secrets have a limit of their own. */
const readsPerMinute = 600

/** What the phone keeps for thirty days. */
export const merchantTokenField = text('登录凭证', {
  required: true,
  max: 200,
  wire: ['Token', 't'],
  masked: 'secret',
})

/** Whose merchant it is, as the address of the page says; not asked where there is one company. */
const companyField = idOf('公司', { min: 1, wire: ['Company', 'c'] })
const loginNameField = text('登录账号', { required: true, max: 40, wire: 'LoginName' })

const signedIn = {
  token: text('登录凭证', { required: true, wire: 'Token' }),
} as const

/** A refusal says in its `Data` what the next try must bring (`signInRefusalFields`). */
export const signInMerchant = call({
  route: `POST ${basePath}/SignIn`,
  title: '商户登录',
  needs: publicAccess,
  perMinute: 120,
  input: shape({
    companyId: companyField,
    loginName: loginNameField,
    password: passwordField(),
    ...captchaFields,
    device: text('设备凭据', { max: 200, wire: 'Device', masked: 'secret' }),
  }),
  output: shape({
    ...signedIn,
    device: text('设备凭据', { required: true, wire: 'Device', help: '保存在浏览器，下次登录使用' }),
  }),
})

/** To the phone of the account; whether there is one is not to be learned here (PERM-11). */
export const sendMerchantCode = call({
  route: `POST ${basePath}/SendCode`,
  title: '发送商户登录验证码',
  needs: publicAccess,
  perMinute: 10,
  input: shape({ companyId: companyField, loginName: loginNameField, ...requiredCaptchaFields }),
  output: noData,
})

export const signInMerchantByCode = call({
  route: `POST ${basePath}/SignInByCode`,
  title: '商户凭短信验证码登录',
  needs: publicAccess,
  perMinute: 20,
  input: shape({
    companyId: companyField,
    loginName: loginNameField,
    smsCode: text('短信验证码', {
      required: true,
      min: 6,
      max: 6,
      wire: ['SmsCode', 'ValidCode'],
      masked: 'secret',
    }),
  }),
  output: shape(signedIn),
})

export const getMerchantSession = call({
  route: `GET ${basePath}/Get`,
  title: '商户登录信息',
  needs: publicAccess,
  perMinute: readsPerMinute,
  input: shape({ token: merchantTokenField }),
  output: shape({
    merchantName: text('商户', { required: true, wire: 'MerchantName' }),
    loginName: text('登录账号', { required: true, wire: 'LoginName' }),
    userName: text('使用人', { wire: 'UserName' }),
    mustChange: flag('须先修改密码', { required: true, wire: 'MustChangePw' }),
    /** A session by code may set a password without the old one, shortly after it began. */
    asksOldPassword: flag('须填原密码', { required: true, wire: 'AsksOldPassword' }),
  }),
})

export type MerchantSessionFacts = NonNullable<typeof getMerchantSession.output.T>

export const changeMerchantPassword = call({
  route: `POST ${basePath}/Password`,
  title: '商户修改密码',
  needs: publicAccess,
  perMinute: 20,
  input: shape({
    token: merchantTokenField,
    oldPassword: text('原密码', { max: 60, masked: 'secret', wire: ['OldPassword', 'OldPassWord'] }),
    password: newPasswordField('新密码'),
  }),
  output: noData,
  affects: ['merchantAccount'],
})

export const signOutMerchant = call({
  route: `POST ${basePath}/SignOut`,
  title: '商户退出登录',
  needs: publicAccess,
  perMinute: 120,
  input: shape({ token: merchantTokenField }),
  output: noData,
})
