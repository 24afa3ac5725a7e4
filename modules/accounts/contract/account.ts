import { call, everyone } from '#kit/contract/call.ts'
import { day, file, flag, int, list, moment, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { signedInManagerFields } from './sign-in.ts'
import { newPasswordField, passwordField } from './credential-fields.ts'

/** The caller's own account: profile, roles, data domain. */
export const getMyAccount = call({
  route: 'GET Manager/Account',
  title: '我的账号',
  needs: everyone,
  duringSetup: true,
  input: noData,
  output: shape({
    ...signedInManagerFields,
    roleNames: list('角色'),
    projectCodes: list('项目', { wire: 'Projectcodes' }),
    email: text('邮箱'),
    mailAvailable: flag('可以发送邮件', { required: true }),
    wechatBound: flag('已绑定微信', { required: true }),
    totpOn: flag('已开启动态验证码', { required: true }),
    totpNeeded: flag('角色要求二次验证', { required: true }),
    recoveryLeft: int('剩余恢复码', { required: true }),
    passwordTime: moment('修改密码时间'),
    lastLoginTime: moment('最近登录'),
    lastLoginIp: text('最近登录地址'),
    expireDate: day('公司到期日期'),
  }),
})

/** Ends every other session of the account. */
export const changePassword = call({
  route: 'POST Manager/UpdatePW',
  title: '修改密码',
  needs: everyone,
  duringSetup: true,
  perMinute: 20,
  input: shape({
    oldPassword: passwordField('原密码', ['OldPassword', 'OldPassWord']),
    password: newPasswordField('新密码', ['Password', 'NewPassword']),
  }),
  output: noData,
})

/** The project to come back to after the next sign-in. */
export const rememberProject = call({
  route: 'POST Manager/PutNearestProject',
  title: '记住所选项目',
  needs: everyone,
  input: shape({
    projectCode: text('项目', { required: true, max: 20, dataDomain: 'project', wire: 'ProjectCode' }),
  }),
  output: noData,
})

/** A picture that was uploaded before; without one the avatar is removed. */
export const changeAvatar = call({
  route: 'POST Manager/UpdateHeadImge',
  title: '更换头像',
  needs: everyone,
  input: shape({ headImage: file('头像', { max: 200, wire: ['HeadImge', 'HeadImage'] }) }),
  output: noData,
  affects: ['manager'],
})
