import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, flag, list, lines, part, text } from '#kit/contract/field.ts'
import { draftOf, extendShape, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

/** By which verified claim an identity that nobody has bound may be bound on its first sign-in. */
export const identityMatch = choiceTable('IdentityMatch', '首次登录自动绑定', {
  none: [10, '不自动绑定'],
  email: [20, '已验证的邮箱相同'],
  mobile: [30, '已验证的手机相同'],
})

/** `https://anju.example.com`, as browsers write an origin. */
export const siteOriginRule = {
  name: 'origin',
  test: (v: string): string | undefined =>
    /^https?:\/\/[\w.:[\]-]+$/.test(v) ? undefined : '站点地址不正确，应如 https://anju.example.com',
}

const scopesRule = {
  name: 'scopes',
  keepsSpaces: true,
  test: (v: string): string | undefined =>
    v.split(' ').includes('openid') ? undefined : '应包含 openid，多个之间用空格分隔',
}

/** The identity provider of a company (OpenID Connect) by which its staff may sign in; at most one. */
export const identityProvider = entity(
  'identityProvider',
  '统一身份认证',
  { table: 'identity_provider', tenancy: 'company', title: 'issuer' },
  {
    isEnabled: flag('启用', { required: true, initial: false }),
    issuer: text('签发者地址', {
      required: true,
      max: 300,
      help: '身份平台的 Issuer，即 /.well-known/openid-configuration 之前的部分',
    }),
    clientId: text('客户端编号', { required: true, max: 200, help: '身份平台的 Client ID' }),
    scopes: text('授权范围', { required: true, max: 200, initial: 'openid profile', rule: scopesRule }),
    identityClaim: text('身份字段', {
      required: true,
      max: 60,
      initial: 'sub',
      help: '唯一标识一个人的字段，一般为 sub；修改后原有绑定须重新绑定',
    }),
    matchBy: choice('首次登录自动绑定', identityMatch, {
      required: true,
      initial: 'none',
      help: '身份平台须注明已验证，且本公司恰有一个启用的账号相同',
    }),
    buttonText: text('按钮文字', { required: true, min: 2, max: 12, initial: '统一身份登录' }),
    siteUrl: text('本站地址', {
      required: true,
      max: 200,
      rule: siteOriginRule,
      help: '员工打开本系统所用的地址，登录后返回该地址',
    }),
    endsSession: flag('退出时同时退出身份平台', { required: true, initial: true }),
    pageKey: text('登录页标识', { required: true, max: 40, immutable: true, hiddenIn: ['form'] }),
  },
)

export type IdentityProvider = Row<typeof identityProvider>

const { permissions } = menu.identity

export const getIdentityProvider = call({
  route: 'GET IdentityProvider/GetOne',
  title: '统一身份认证设置',
  needs: permissions.view,
  input: noData,
  output: shape({
    provider: part('设置', identityProvider.fields),
    hasSecret: flag('已保存客户端密钥', { required: true }),
  }),
})

/** The secret is written, never answered; without one the saved one stays. */
export const saveIdentityProvider = call({
  route: 'PUT IdentityProvider/Put',
  title: '保存统一身份认证设置',
  needs: permissions.edit,
  affects: ['identityProvider'],
  input: extendShape(draftOf(identityProvider, ['pageKey']), {
    clientSecret: text('客户端密钥', {
      max: 300,
      masked: 'secret',
      help: '身份平台的 Client Secret，保存后不再显示；不填保持不变',
    }),
  }),
  output: recordOf(identityProvider),
})

/** Asks the provider for its description, its keys, and whether it knows the client. */
export const testIdentityProvider = call({
  route: 'POST IdentityProvider/Test',
  title: '测试身份平台连接',
  readOnly: true,
  needs: permissions.test,
  perMinute: 20,
  input: noData,
  output: shape({
    isOk: flag('可以使用', { required: true }),
    checks: lines(
      '检查',
      {
        name: text('项目', { required: true }),
        isOk: flag('通过', { required: true }),
        result: text('结果', { required: true }),
      },
      { required: true },
    ),
    claims: list('提供的字段'),
  }),
})
