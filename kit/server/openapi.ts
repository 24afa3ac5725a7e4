import { defined } from '#kit/domain/defined.ts'
import { publicAccess, everyone, methodOf, pathOf, isWrite, type Call } from '#kit/contract/call.ts'
import type { Choices, Field, Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { kindBehaviour, nestedFieldsOf } from '#kit/contract/value.ts'
import { resultCode, requestLimits, wireNameOf } from '#kit/contract/wire.ts'
import type { InstalledModule } from './handler.ts'

type JsonObject = { [key: string]: unknown }

const describeField = (field: Field): string =>
  [
    field.label,
    field.unit && `单位 ${field.unit}`,
    field.help,
    field.rule && `规则 ${field.rule.name}`,
    field.choices &&
      Object.values(field.choices.rows)
        .map(([code, label]) => `${code}=${label}`)
        .join('，'),
  ]
    .filter(Boolean)
    .join('；')

const schemaOfKind = (field: Field, ancestors: readonly Fields[]): JsonObject => {
  if (field.kind === 'part') return objectSchema(nestedFieldsOf(field), undefined, ancestors)
  if (field.kind === 'lines')
    return { type: 'array', items: objectSchema(nestedFieldsOf(field), undefined, ancestors) }
  return { ...kindBehaviour[field.kind].jsonSchema(field) }
}

/** Rows may hold rows of their own kind (trees): described once, then only referred to. */
const fieldSchema = (field: Field, ancestors: readonly Fields[] = []): JsonObject => ({
  ...schemaOfKind(field, ancestors),
  description: describeField(field),
  ...(field.initial === undefined || field.choices
    ? {}
    : { default: kindBehaviour[field.kind].toWire(field.initial, field) }),
})

function objectSchema(
  fields: Fields,
  shape?: Pick<Shape, 'wireNames'>,
  ancestors: readonly Fields[] = [],
): JsonObject {
  if (ancestors.includes(fields) || ancestors.length > 5) return { type: 'object', description: '与上级相同' }
  const entries = Object.entries<Field>(fields)
  const required = entries
    .filter(([, field]) => field.required)
    .map(([key, field]) => wireNameOf(key, field, shape))
  const path = [...ancestors, fields]
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([key, field]) => [wireNameOf(key, field, shape), fieldSchema(field, path)]),
    ),
    ...(required.length ? { required } : {}),
  }
}

const dataSchema = (shape: Shape): JsonObject => {
  switch (shape.form) {
    case 'none':
    case 'blob':
      return { type: 'null' }
    case 'value':
      return fieldSchema(defined(shape.fields.data))
    case 'one':
      return { ...objectSchema(shape.fields, shape), type: ['object', 'null'] }
    default:
      return { type: 'array', items: objectSchema(shape.fields, shape) }
  }
}

const senderSchemas: Readonly<Record<string, JsonObject>> = {
  OwnerID: { type: 'integer', description: '公司，须与登录者一致' },
  OperaterID: { type: 'integer', description: '操作员，须与登录者一致' },
  ProjectCode: { type: 'string', description: '当前项目' },
}

const queryParameter = (name: string, schema: JsonObject, required = false): JsonObject => ({
  name,
  in: 'query',
  required,
  schema,
})

/** Members that travel at the top of a query, not under `data.`. */
const topLevelNames = new Set(['ID', 'Ids', 'PageIndex', 'PageSize', 'ProjectCode'])

const uuidSchema: JsonObject = {
  type: 'string',
  maxLength: 64,
  description: '幂等编号，24 小时内相同编号得到第一次的结果',
}

/** The properties of a request's body. */
function bodyProperties(call: Call): JsonObject {
  const { input } = call
  const data =
    input.form === 'value' ? fieldSchema(defined(input.fields.data)) : objectSchema(input.fields, input)
  return {
    ...senderSchemas,
    ...(isWrite(call) ? { uuid: uuidSchema } : {}),
    ...(call.flat && typeof data.properties === 'object' ? data.properties : { Data: data }),
  }
}

function parametersOf(call: Call): JsonObject[] {
  const { form, fields } = call.input
  const parameters = Object.entries<Field>(fields).map(([key, field]) => {
    const name = form === 'value' ? 'Data' : wireNameOf(key, field, call.input)
    const isTopLevel = methodOf(call) === 'DELETE' || form === 'value' || topLevelNames.has(name)
    return {
      name,
      parameter: queryParameter(isTopLevel ? name : `data.${name}`, fieldSchema(field), field.required),
    }
  })
  const names = new Set(parameters.map(({ name }) => name))
  return [
    ...parameters.map(({ parameter }) => parameter),
    ...Object.entries(senderSchemas)
      .filter(([name]) => !names.has(name))
      .map(([name, schema]) => queryParameter(name, schema)),
  ]
}

function requestContent(call: Call): JsonObject {
  const properties = bodyProperties(call)
  if (call.upload) {
    const file = { type: 'string', format: 'binary', description: `最大 ${call.upload / 1048576} MB` }
    return { 'multipart/form-data': { schema: { type: 'object', properties: { file, ...properties } } } }
  }
  const schema = { type: 'object', properties }
  return {
    ...(methodOf(call) === 'POST' ? { 'application/x-www-form-urlencoded': { schema } } : {}),
    'application/json': { schema },
  }
}

const refusalSchema: JsonObject = { $ref: '#/components/schemas/Refusal' }

const fileResponseOf = (): JsonObject => ({
  description: '文件；失败时为 JSON',
  headers: {
    'x-suggested-filename': { schema: { type: 'string' }, description: 'URL 编码的文件名' },
  },
  content: {
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    'application/json': { schema: refusalSchema },
  },
})

function responseOf({ output }: Call): JsonObject {
  if (output.form === 'blob') return fileResponseOf()
  const envelope: JsonObject = {
    type: 'object',
    required: ['Code', 'Message', 'Data'],
    properties: {
      Code: { type: 'integer' },
      Message: { type: 'string' },
      Data: dataSchema(output),
      ...(output.form === 'page' ? { Total: { type: 'integer' } } : {}),
      ...(output.form === 'page' && output.sums?.length ? { Sum: { type: 'object' } } : {}),
    },
  }
  return {
    description: '成功或业务拒绝，看 Code',
    content: { 'application/json': { schema: { anyOf: [envelope, refusalSchema] } } },
  }
}

/** The result codes that a call may answer. */
const codesOf = (call: Call): number[] => [
  resultCode.ok,
  ...(call.input.form === 'none' ? [] : [resultCode.invalidInput]),
  ...(isWrite(call) ? [resultCode.refused] : []),
  ...(typeof call.needs === 'object' ? [resultCode.forbidden] : []),
  ...(call.perMinute ? [resultCode.rateLimited] : []),
  resultCode.internalError,
]

const permissionLabel = ({ needs }: Call): string => {
  if (needs === publicAccess) return '无需登录'
  return needs === everyone ? '登录即可' : needs.label
}

function buildOperation(call: Call, moduleLabel: string): JsonObject {
  const method = methodOf(call)
  const isPublic = call.needs === publicAccess
  return {
    tags: [moduleLabel],
    summary: call.title,
    operationId: `${method} ${pathOf(call)}`,
    'x-permission': typeof call.needs === 'object' ? call.needs.key : null,
    'x-needs': permissionLabel(call),
    'x-names': call.aliases ?? [],
    'x-codes': codesOf(call),
    ...(call.perMinute ? { 'x-per-minute': call.perMinute } : {}),
    ...(call.upload ? { 'x-upload': call.upload } : {}),
    security: isPublic ? [] : [{ token: [] }],
    ...(method === 'GET' || method === 'DELETE'
      ? { parameters: parametersOf(call) }
      : { requestBody: { content: requestContent(call) } }),
    responses: {
      200: responseOf(call),
      ...(isPublic ? {} : { 401: { description: '未登录或登录失效' } }),
    },
  }
}

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

/**
 * OpenAPI 3.1 of every declared call: its input and answer as they travel, its permission, aliases and result
 * codes.
 */
export function buildOpenApi(
  installed: readonly Pick<InstalledModule, 'manifest' | 'contract'>[],
  version: string,
): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const { manifest, contract } of installed) {
    for (const call of contract.calls) {
      const path = (paths[`/api/${pathOf(call)}`] ??= {})
      path[methodOf(call).toLowerCase()] = buildOperation(call, manifest.label)
    }
  }
  const choices: readonly Choices[] = installed.flatMap(m => m.contract.choices)
  return {
    openapi: '3.1.0',
    info: {
      title: '安居 接口',
      version,
      description: `地址不分大小写。请求头 token 为登录得到的令牌，flag: 1 表示记录操作日志。响应一律 { Code, Message, Data }，业务结果的 HTTP 状态为 200。金额为两位小数文本，日期 yyyy-MM-dd，时间 yyyy-MM-dd HH:mm:ss（北京时间）。单次提交不超过 ${requestLimits.bytes / 1048576} MB、${requestLimits.depth} 层、${requestLimits.members} 项、${requestLimits.ids} 个编号。`,
    },
    tags: installed.filter(m => m.contract.calls.length).map(m => ({ name: m.manifest.label })),
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['Code', 'Message', 'Data'],
          properties: {
            Code: { type: 'integer', description: codeDescriptions.map(([c, w]) => `${c} ${w}`).join('；') },
            Message: { type: 'string' },
            Data: {},
          },
        },
      },
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
