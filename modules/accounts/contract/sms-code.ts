import { publicAccess, call, everyone } from '#kit/contract/call.ts'
import { choice, choiceTable, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { noData, shape, singleValue } from '#kit/contract/shape.ts'
import { property } from './company.ts'
import {
  loginNameField,
  newPasswordField,
  passwordField,
  requiredCaptchaFields,
} from './credential-fields.ts'

/** What a code by SMS or e-mail is for; a code of one purpose serves no other. */
export const smsCodePurpose = choiceTable('SmsPurpose', '验证码用途', {
  register: [10, '注册'],
  password: [20, '找回密码'],
  mobile: [30, '变更手机号'],
  transfer: [40, '权限移交'],
  join: [50, '加入企业'],
  email: [60, '绑定邮箱'],
  resident: [70, '住户登录'],
  merchant: [80, '商户登录'],
})

const mobileField = text('手机号', { required: true, max: 11, rule: rules.mobile })

const smsCodeField = text('短信验证码', {
  required: true,
  min: 6,
  max: 6,
  wire: ['SmsCode', 'ValidCode', 'Code'],
  masked: 'secret',
})

/** To the user's number, or to the new one when changing it (PERM-11). The picture comes first. */
export const requestSmsCode = call({
  route: 'POST Manager/SendValidCode',
  title: '发送短信验证码',
  needs: everyone,
  perMinute: 10,
  input: shape({
    purpose: choice('用途', smsCodePurpose, { required: true }),
    mobile: text('手机号', { max: 11, rule: rules.mobile }),
    ...requiredCaptchaFields,
  }),
  output: singleValue(text('已发送到', { required: true })),
})

/**
 * Before sign-in: for registering, or for an account's forgotten password (to the number it has; the answer
 * never says whether there is one).
 */
export const requestAnonymousSmsCode = call({
  route: 'POST Manager/SendValidCodeByImageCode',
  aliases: ['Manager/SendValidCodeByCaptcha'],
  title: '发送短信验证码',
  needs: publicAccess,
  perMinute: 10,
  input: shape({
    purpose: choice('用途', smsCodePurpose, { required: true }),
    mobile: mobileField,
    loginCode: text('账号', { max: 40, wire: ['Logincode', 'LoginCode'] }),
    ...requiredCaptchaFields,
  }),
  output: noData,
})

/**
 * The first step of a forgotten password: account, mobile and code give a pass to the second, good for ten
 * minutes.
 */
export const verifySmsCode = call({
  route: 'POST Manager/CheckSmsCode',
  title: '校验短信验证码',
  needs: publicAccess,
  perMinute: 20,
  input: shape({
    loginCode: text('账号', { required: true, max: 40, wire: ['Logincode', 'LoginCode'] }),
    mobile: mobileField,
    smsCode: smsCodeField,
  }),
  output: singleValue(text('凭据', { required: true })),
})

export const resetForgottenPassword = call({
  route: 'POST Manager/FindUpdatePassWord',
  title: '重新设置密码',
  needs: publicAccess,
  perMinute: 20,
  input: shape({
    pass: text('凭据', { required: true, max: 100, wire: ['Ticket', 'Pass'], masked: 'secret' }),
    password: newPasswordField('新密码'),
  }),
  output: noData,
})

/** A new company with its owner, on trial. */
export const registerCompany = call({
  route: 'POST Manager/Register',
  title: '注册',
  needs: publicAccess,
  perMinute: 10,
  input: shape({
    companyName: property.fields.companyName,
    realName: text('联系人', { required: true, max: 40 }),
    mobile: mobileField,
    smsCode: smsCodeField,
    loginCode: loginNameField(),
    password: newPasswordField(),
  }),
  output: noData,
})

/** Ends the other sessions: a mobile is a way in (PERM-9). */
export const changeMobile = call({
  route: 'POST Manager/UpdateMobile',
  title: '变更手机号',
  needs: everyone,
  perMinute: 10,
  input: shape({ mobile: mobileField, smsCode: smsCodeField, password: passwordField('当前密码') }),
  output: noData,
  affects: ['manager'],
})
