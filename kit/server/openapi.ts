import { anybody, everyone, methodOf, pathOf, writes, type Call } from '#kit/contract/call.ts'
import type { Choices, Field, Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { manners, membersOf } from '#kit/contract/value.ts'
import { code, limits, nameOf } from '#kit/contract/wire.ts'
import type { Installed } from './handle.ts'

type Json = { [key: string]: unknown }

const words = (f: Field): string =>
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
const schemaOf = (f: Field, above: readonly Fields[] = []): Json => {
  const base =
    f.kind === 'lines'
      ? { type: 'array', items: objectOf(membersOf(f), undefined, above) }
      : f.kind === 'part'
        ? objectOf(membersOf(f), undefined, above)
        : (manners[f.kind].schema(f) as Json)
  return {
    ...base,
    description: words(f),
    ...(f.initial === undefined || f.choices ? {} : { default: manners[f.kind].toWire(f.initial, f) }),
  }
}

function objectOf(fields: Fields, s?: Pick<Shape, 'spell'>, above: readonly Fields[] = []): Json {
  if (above.includes(fields) || above.length > 5) return { type: 'object', description: '与上级相同' }
  const entries = Object.entries<Field>(fields)
  const required = entries.filter(([, f]) => f.required).map(([k, f]) => nameOf(k, f, s))
  const here = [...above, fields]
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([k, f]) => [nameOf(k, f, s), schemaOf(f, here)])),
    ...(required.length ? { required } : {}),
  }
}

const dataOf = (s: Shape): Json =>
  s.form === 'none' || s.form === 'blob'
    ? { type: 'null' }
    : s.form === 'value'
      ? schemaOf(s.fields.data!)
      : s.form === 'one'
        ? { ...objectOf(s.fields, s), type: ['object', 'null'] }
        : { type: 'array', items: objectOf(s.fields, s) }

const sender: Json = {
  OwnerID: { type: 'integer', description: '公司，须与登录者一致' },
  OperaterID: { type: 'integer', description: '操作员，须与登录者一致' },
  ProjectCode: { type: 'string', description: '当前项目' },
}

const query = (name: string, schema: Json, required = false): Json => ({
  name,
  in: 'query',
  required,
  schema,
})

/** Members that travel at the top of a query, not under `data.`. */
const bare = new Set(['ID', 'Ids', 'PageIndex', 'PageSize', 'ProjectCode'])

function operation(c: Call, module: string): Json {
  const method = methodOf(c)
  const s = c.input
  const entries = Object.entries<Field>(s.fields).map(
    ([k, f]) => [s.form === 'value' ? 'Data' : nameOf(k, f, s), f] as const,
  )
  const needs = c.needs === anybody ? '无需登录' : c.needs === everyone ? '登录即可' : c.needs.label
  const inQuery = method === 'GET' || method === 'DELETE'
  const input = s.form === 'value' ? schemaOf(s.fields.data!) : objectOf(s.fields, s)
  const envelope: Json = {
    type: 'object',
    properties: {
      ...sender,
      ...(writes(c)
        ? {
            uuid: {
              type: 'string',
              maxLength: 64,
              description: '幂等编号，24 小时内相同编号得到第一次的结果',
            },
          }
        : {}),
      ...(c.flat ? (input.properties as Json) : { Data: input }),
    },
  }
  const done: Json = {
    type: 'object',
    required: ['Code', 'Message', 'Data'],
    properties: {
      Code: { type: 'integer' },
      Message: { type: 'string' },
      Data: dataOf(c.output),
      ...(c.output.form === 'page'
        ? { Total: { type: 'integer' }, ...(c.output.sums?.length ? { Sum: { type: 'object' } } : {}) }
        : {}),
    },
  }
  const codes = [
    code.fine,
    ...(s.form === 'none' ? [] : [code.input]),
    ...(writes(c) ? [code.refused] : []),
    ...(typeof c.needs === 'object' ? [code.forbidden] : []),
    ...(c.perMinute ? [code.often] : []),
    code.defect,
  ]
  return {
    tags: [module],
    summary: c.title,
    operationId: `${method} ${pathOf(c)}`,
    'x-permission': typeof c.needs === 'object' ? c.needs.key : null,
    'x-needs': needs,
    'x-names': c.names ?? [],
    'x-codes': codes,
    ...(c.perMinute ? { 'x-per-minute': c.perMinute } : {}),
    ...(c.upload ? { 'x-upload': c.upload } : {}),
    security: c.needs === anybody ? [] : [{ token: [] }],
    ...(inQuery
      ? {
          parameters: [
            ...entries.map(([name, f]) =>
              query(
                method === 'DELETE' || s.form === 'value' || bare.has(name) ? name : `data.${name}`,
                schemaOf(f),
                f.required,
              ),
            ),
            ...Object.entries(sender)
              .filter(([k]) => !entries.some(([n]) => n === k))
              .map(([k, v]) => query(k, v as Json)),
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
                        ...(envelope.properties as Json),
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
      ...(c.needs === anybody ? {} : { 401: { description: '未登录或登录失效' } }),
    },
  }
}

const codeWords: readonly (readonly [number, string])[] = [
  [code.fine, '成功'],
  [code.input, '输入有误，Data 为 [{Field, Message}]'],
  [code.refused, '业务规则不允许'],
  [code.forbidden, '无权限或超出数据范围'],
  [code.absent, '数据不存在或已被删除'],
  [code.stale, '数据已被他人修改'],
  [code.often, '操作过于频繁'],
  [code.defect, '系统错误，带编号'],
]

/**
 * OpenAPI 3.1 of every declared call: its input and answer as they travel, its right, its other names, its
 * fault codes.
 */
export function openApi(installed: readonly Pick<Installed, 'plate' | 'contract'>[], version: string): Json {
  const paths: { [path: string]: Json } = {}
  for (const { plate, contract } of installed) {
    for (const c of contract.calls) {
      ;(paths[`/api/${pathOf(c)}`] ??= {})[methodOf(c).toLowerCase()] = operation(c, plate.label)
    }
  }
  const choices = installed.flatMap(m => [...m.contract.choices]) as Choices[]
  return {
    openapi: '3.1.0',
    info: {
      title: '安居 接口',
      version,
      description: `地址不分大小写。请求头 token 为登录得到的令牌，flag: 1 表示记录操作日志。回答一律 { Code, Message, Data }，业务结果的 HTTP 状态为 200。金额为两位小数文本，日期 yyyy-MM-dd，时间 yyyy-MM-dd HH:mm:ss（北京时间）。单次提交不超过 ${limits.bytes / 1048576} MB、${limits.depth} 层、${limits.members} 项、${limits.ids} 个编号。`,
    },
    tags: installed.filter(m => m.contract.calls.length).map(m => ({ name: m.plate.label })),
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['Code', 'Message', 'Data'],
          properties: {
            Code: { type: 'integer', description: codeWords.map(([c, w]) => `${c} ${w}`).join('；') },
            Message: { type: 'string' },
            Data: {},
          },
        },
      },
    },
    'x-codes': codeWords.map(([Code, Message]) => ({ Code, Message })),
    'x-choices': Object.fromEntries(
      choices.map(c => [
        c.name,
        { label: c.label, rows: Object.values(c.rows).map(r => ({ Code: r[0], Name: r[1] })) },
      ]),
    ),
  }
}
