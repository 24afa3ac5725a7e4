import { defined } from '#kit/domain/defined.ts'
import { publicAccess, everyone, methodOf, pathOf, isWrite, type Call } from '#kit/contract/call.ts'
import type { Choices, Field, Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { kindBehaviour, nestedFieldsOf } from '#kit/contract/value.ts'
import { resultCode, requestLimits, wireNameOf } from '#kit/contract/wire.ts'
import type { InstalledModule } from './handler.ts'

type JsonObject = { [key: string]: unknown }

const describeField = (f: Field): string =>
  [
    f.label,
    f.unit && `单位 ${f.unit}`,
    f.help,
    f.rule && `规则 ${f.rule.name}`,
    f.choices &&
      Object.values(f.choices.rows)
        .map(r => `${r[0]}=${r[1]}`)
        .join('，'),
  ]
    .filter(Boolean)
    .join('；')

/** Rows may hold rows of their own kind (trees): said once, and then only that it goes on. */
const fieldSchema = (f: Field, above: readonly Fields[] = []): JsonObject => {
  const base =
    f.kind === 'lines'
      ? { type: 'array', items: objectSchema(nestedFieldsOf(f), undefined, above) }
      : f.kind === 'part'
        ? objectSchema(nestedFieldsOf(f), undefined, above)
        : (kindBehaviour[f.kind].jsonSchema(f) as JsonObject)
  return {
    ...base,
    description: describeField(f),
    ...(f.initial === undefined || f.choices ? {} : { default: kindBehaviour[f.kind].toWire(f.initial, f) }),
  }
}

function objectSchema(
  fields: Fields,
  s?: Pick<Shape, 'wireNames'>,
  above: readonly Fields[] = [],
): JsonObject {
  if (above.includes(fields) || above.length > 5) return { type: 'object', description: '与上级相同' }
  const entries = Object.entries<Field>(fields)
  const required = entries.filter(([, f]) => f.required).map(([k, f]) => wireNameOf(k, f, s))
  const here = [...above, fields]
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([k, f]) => [wireNameOf(k, f, s), fieldSchema(f, here)])),
    ...(required.length ? { required } : {}),
  }
}

const dataSchema = (s: Shape): JsonObject =>
  s.form === 'none' || s.form === 'blob'
    ? { type: 'null' }
    : s.form === 'value'
      ? fieldSchema(defined(s.fields.data))
      : s.form === 'one'
        ? { ...objectSchema(s.fields, s), type: ['object', 'null'] }
        : { type: 'array', items: objectSchema(s.fields, s) }

const senderSchema: JsonObject = {
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

function buildOperation(c: Call, module: string): JsonObject {
  const method = methodOf(c)
  const s = c.input
  const entries = Object.entries<Field>(s.fields).map(
    ([k, f]) => [s.form === 'value' ? 'Data' : wireNameOf(k, f, s), f] as const,
  )
  const needs = c.needs === publicAccess ? '无需登录' : c.needs === everyone ? '登录即可' : c.needs.label
  const inQuery = method === 'GET' || method === 'DELETE'
  const input = s.form === 'value' ? fieldSchema(defined(s.fields.data)) : objectSchema(s.fields, s)
  const envelope: JsonObject = {
    type: 'object',
    properties: {
      ...senderSchema,
      ...(isWrite(c)
        ? {
            uuid: {
              type: 'string',
              maxLength: 64,
              description: '幂等编号，24 小时内相同编号得到第一次的结果',
            },
          }
        : {}),
      ...(c.flat ? (input.properties as JsonObject) : { Data: input }),
    },
  }
  const done: JsonObject = {
    type: 'object',
    required: ['Code', 'Message', 'Data'],
    properties: {
      Code: { type: 'integer' },
      Message: { type: 'string' },
      Data: dataSchema(c.output),
      ...(c.output.form === 'page'
        ? { Total: { type: 'integer' }, ...(c.output.sums?.length ? { Sum: { type: 'object' } } : {}) }
        : {}),
    },
  }
  const codes = [
    resultCode.ok,
    ...(s.form === 'none' ? [] : [resultCode.invalidInput]),
    ...(isWrite(c) ? [resultCode.refused] : []),
    ...(typeof c.needs === 'object' ? [resultCode.forbidden] : []),
    ...(c.perMinute ? [resultCode.rateLimited] : []),
    resultCode.internalError,
  ]
  return {
    tags: [module],
    summary: c.title,
    operationId: `${method} ${pathOf(c)}`,
    'x-permission': typeof c.needs === 'object' ? c.needs.key : null,
    'x-needs': needs,
    'x-names': c.aliases ?? [],
    'x-codes': codes,
    ...(c.perMinute ? { 'x-per-minute': c.perMinute } : {}),
    ...(c.upload ? { 'x-upload': c.upload } : {}),
    security: c.needs === publicAccess ? [] : [{ token: [] }],
    ...(inQuery
      ? {
          parameters: [
            ...entries.map(([name, f]) =>
              queryParameter(
                method === 'DELETE' || s.form === 'value' || topLevelNames.has(name) ? name : `data.${name}`,
                fieldSchema(f),
                f.required,
              ),
            ),
            ...Object.entries(senderSchema)
              .filter(([k]) => !entries.some(([n]) => n === k))
              .map(([k, v]) => queryParameter(k, v as JsonObject)),
          ],
        }
      : {
          requestBody: {
            content: c.upload
              ? {
                  'multipart/form-data': {
                    schema: {
                      type: 'object',
                      properties: {
                        file: {
                          type: 'string',
                          format: 'binary',
                          description: `最大 ${c.upload / 1048576} MB`,
                        },
                        ...(envelope.properties as JsonObject),
                      },
                    },
                  },
                }
              : {
                  ...(method === 'POST' ? { 'application/x-www-form-urlencoded': { schema: envelope } } : {}),
                  'application/json': { schema: envelope },
                },
          },
        }),
    responses: {
      200:
        c.output.form === 'blob'
          ? {
              description: '文件；失败时为 JSON',
              headers: {
                'x-suggested-filename': { schema: { type: 'string' }, description: 'URL 编码的文件名' },
              },
              content: {
                'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
                'application/json': { schema: { $ref: '#/components/schemas/Refusal' } },
              },
            }
          : {
              description: '成功或业务拒绝，看 Code',
              content: {
                'application/json': { schema: { anyOf: [done, { $ref: '#/components/schemas/Refusal' }] } },
              },
            },
      ...(c.needs === publicAccess ? {} : { 401: { description: '未登录或登录失效' } }),
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
 * OpenAPI 3.1 of every declared call: its input and answer as they travel, its right, its other names, its
 * fault codes.
 */
export function buildOpenApi(
  installed: readonly Pick<InstalledModule, 'manifest' | 'contract'>[],
  version: string,
): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const { manifest, contract } of installed) {
    for (const c of contract.calls) {
      ;(paths[`/api/${pathOf(c)}`] ??= {})[methodOf(c).toLowerCase()] = buildOperation(c, manifest.label)
    }
  }
  const choices = installed.flatMap(m => [...m.contract.choices]) as Choices[]
  return {
    openapi: '3.1.0',
    info: {
      title: '安居 接口',
      version,
      description: `地址不分大小写。请求头 token 为登录得到的令牌，flag: 1 表示记录操作日志。回答一律 { Code, Message, Data }，业务结果的 HTTP 状态为 200。金额为两位小数文本，日期 yyyy-MM-dd，时间 yyyy-MM-dd HH:mm:ss（北京时间）。单次提交不超过 ${requestLimits.bytes / 1048576} MB、${requestLimits.depth} 层、${requestLimits.members} 项、${requestLimits.ids} 个编号。`,
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
