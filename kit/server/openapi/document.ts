import type { Choices } from '#kit/contract/field.ts'
import { methodOf, pathOf } from '#kit/contract/call.ts'
import { resultCode, requestLimits } from '#kit/contract/wire.ts'
import type { InstalledModule } from '../handler.ts'
import { Components, type JsonObject } from './components.ts'
import { buildOperation, fileResponse } from './operation.ts'

const codeDescriptions: readonly (readonly [number, string])[] = [
  [resultCode.ok, '成功'],
  [resultCode.invalidInput, '输入有误，Data 为 [{Field, Message}]'],
  [resultCode.refused, '业务规则不允许'],
  [resultCode.forbidden, '无权限或超出数据范围'],
  [resultCode.notFound, '数据不存在或已被删除'],
  [resultCode.stale, '数据已被他人修改'],
  [resultCode.rateLimited, '操作过于频繁'],
  [resultCode.internalError, '系统错误，带编号'],
]

const refusalCodes = codeDescriptions
  .map(([code]) => code)
  .filter(code => code !== resultCode.ok && code !== resultCode.invalidInput)

const envelope = (code: JsonObject, data: JsonObject, description: string): JsonObject => ({
  type: 'object',
  description,
  required: ['Code', 'Message', 'Data'],
  properties: { Code: code, Message: { type: 'string', description: '可以直接给人看' }, Data: data },
})

/** What every call shares: who asks, and how it is refused. */
const commonSchemas: JsonObject = {
  SenderOwnerID: { type: 'integer', description: '公司，须与登录者一致' },
  SenderOperaterID: { type: 'integer', description: '操作员，须与登录者一致' },
  SenderProjectCode: { type: 'string', description: '当前项目' },
  Senderuuid: {
    type: 'string',
    maxLength: 64,
    description: '幂等编号，24 小时内相同编号得到第一次的结果',
  },
  InputRefusal: envelope(
    { const: resultCode.invalidInput },
    {
      type: ['array', 'null'],
      items: {
        type: 'object',
        required: ['Field', 'Message'],
        properties: { Field: { type: 'string' }, Message: { type: 'string' } },
      },
    },
    '输入有误：全部错误一次给出',
  ),
  RuleRefusal: envelope(
    {
      enum: refusalCodes,
      description: codeDescriptions
        .filter(([code]) => refusalCodes.includes(code))
        .map(([code, words]) => `${code} ${words}`)
        .join('；'),
    },
    {},
    '未执行：原因在 Message',
  ),
  Refusal: {
    oneOf: [{ $ref: '#/components/schemas/InputRefusal' }, { $ref: '#/components/schemas/RuleRefusal' }],
  },
  SignInRequired: envelope({ const: 401 }, { type: 'null' }, '登录失效，请重新登录'),
}

const jsonOf = (schema: string): JsonObject => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
})

const retryAfter = {
  'retry-after': { schema: { type: 'integer' }, description: '多少秒后再试' },
}

const commonResponses: JsonObject = {
  File: fileResponse,
  SignInRequired: { description: '未登录或登录失效', content: jsonOf('SignInRequired') },
  TooManyRequests: { description: '操作过于频繁', headers: retryAfter, content: jsonOf('RuleRefusal') },
  Unavailable: {
    description: '系统繁忙、正在启动或数据库暂时不可用',
    headers: retryAfter,
    content: jsonOf('RuleRefusal'),
  },
}

const commonParameters: JsonObject = Object.fromEntries(
  ['OwnerID', 'OperaterID', 'ProjectCode'].map(name => [
    `Sender${name}`,
    { name, in: 'query', schema: { $ref: `#/components/schemas/Sender${name}` } },
  ]),
)

const about = `地址不分大小写。请求头 token 为登录得到的令牌，flag: 1 表示记录操作日志；程序用接口密钥代替令牌：Authorization: Bearer anju_…。响应一律 { Code, Message, Data }，业务结果的 HTTP 状态为 200：Code 10000 是成功，其余是拒绝。金额为两位小数文本，日期 yyyy-MM-dd，时间 yyyy-MM-dd HH:mm:ss（北京时间）。每个答复的头 x-request-id 是请求编号。编辑时未发送的字段保持原值，发送空文本的清空。请求头 x-strict: 1（或 ?strict=1）时，多余的参数按名称拒绝；不带时忽略。单次提交不超过 ${requestLimits.bytes / 1048576} MB、${requestLimits.depth} 层、${requestLimits.members} 项、${requestLimits.ids} 个编号。`

/**
 * OpenAPI 3.1 of every declared call: its input and output on the wire, its permission, aliases and result
 * codes.
 */
export function buildOpenApi(
  installed: readonly Pick<InstalledModule, 'manifest' | 'contract'>[],
  version: string,
): JsonObject {
  const components = new Components(Object.keys(commonSchemas))
  const paths: { [path: string]: JsonObject } = {}
  for (const { manifest, contract } of installed) {
    for (const call of contract.calls) {
      const path = (paths[`/api/${pathOf(call)}`] ??= {})
      path[methodOf(call).toLowerCase()] = buildOperation(call, manifest, components)
    }
  }
  const choices: readonly Choices[] = installed.flatMap(m => m.contract.choices)
  return {
    openapi: '3.1.0',
    info: {
      title: '安居 接口',
      version,
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: '本服务' }],
    tags: installed
      .filter(m => m.contract.calls.length)
      .map(m => ({ name: m.manifest.label, description: `模块 ${m.manifest.name}` })),
    security: [{ token: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token', description: '登录得到的令牌' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            '「设置 › 系统对接 › 接口密钥」中生成的密钥，Authorization: Bearer anju_…；只能调用密钥权限之内的接口',
        },
      },
      parameters: { ...commonParameters, ...components.parameters },
      responses: commonResponses,
      examples: components.examples,
      schemas: { ...commonSchemas, ...components.all() },
    },
    'x-codes': codeDescriptions.map(([Code, Message]) => ({ Code, Message })),
    'x-choices': Object.fromEntries(
      choices.map(c => [
        c.name,
        { label: c.label, rows: Object.values(c.rows).map(r => ({ Code: r[0], Name: r[1] })) },
      ]),
    ),
  }
}
