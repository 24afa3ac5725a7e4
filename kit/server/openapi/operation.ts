import { defined } from '#kit/domain/defined.ts'
import { publicAccess, everyone, methodOf, pathOf, isWrite, type Call } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import { partialFields, type Shape } from '#kit/contract/shape.ts'
import { resultCode, sumMembersOf, wireMembersOf, wireNameOf } from '#kit/contract/wire.ts'
import type { Components, JsonObject } from './components.ts'
import { exampleOfMembers, exampleOfValue } from './examples.ts'

/** `GET finance/v1/FeeBill/Get` → `GET_finance_v1_FeeBill_Get`: fit for a name and an address. */
export const operationIdOf = (call: Call): string =>
  `${methodOf(call)}_${pathOf(call).replace(/[^A-Za-z0-9]+/g, '_')}`

/** The name of what a call alone takes or gives: by the last two words of its path. */
const baseNameOf = (call: Call): string =>
  `${pathOf(call).split('/').slice(-2).join(' ')} ${methodOf(call).toLowerCase()}`

const inputNameOf = (call: Call): string => `${baseNameOf(call)} input`
const outputNameOf = (call: Call): string =>
  call.output.entity && call.output.form !== 'value' ? call.output.entity : `${baseNameOf(call)} answer`

const dataSchema = (call: Call, components: Components): JsonObject => {
  const { output } = call
  switch (output.form) {
    case 'none':
    case 'blob':
      return { type: 'null' }
    case 'value': {
      const field = defined(output.fields.data)
      const schema = components.field(field, 'output', outputNameOf(call))
      return field.required ? schema : components.allowNull(schema)
    }
    case 'one':
      return components.allowNull(components.object(output, 'output', outputNameOf(call)))
    default:
      return { type: 'array', items: components.object(output, 'output', outputNameOf(call)) }
  }
}

const exampleOfData = (shape: Shape): unknown => {
  const { form, fields } = shape
  if (form === 'none' || form === 'blob') return null
  if (form === 'value') return exampleOfValue(defined(fields.data), 'output')
  const row = exampleOfMembers(shape, 'output')
  return form === 'one' ? row : [row]
}

/** What an answer of success carries beside `Data`. */
function pageMembers({ output }: Call, components: Components): JsonObject {
  if (output.form !== 'page') return {}
  const sums = sumMembersOf(output)
  const properties = Object.fromEntries(
    sums.flatMap(({ field, key, names }) =>
      names.map(name => [name, components.allowNull(components.field(field, 'output', key))]),
    ),
  )
  return {
    Total: { type: 'integer', description: '筛选后的总行数' },
    ...(sums.length ? { Sum: { type: 'object', properties, description: '筛选后全部行的合计' } } : {}),
  }
}

export const fileResponse = {
  description: '文件；失败时为 JSON',
  headers: { 'x-suggested-filename': { schema: { type: 'string' }, description: 'URL 编码的文件名' } },
  content: {
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    'application/json': { schema: { $ref: '#/components/schemas/Refusal' } },
  },
}

function successResponse(call: Call, components: Components): JsonObject {
  const { output } = call
  if (output.form === 'blob') return { $ref: '#/components/responses/File' }
  const pageProperties = pageMembers(call, components)
  const success = {
    type: 'object',
    required: ['Code', 'Message', 'Data', ...('Total' in pageProperties ? ['Total'] : [])],
    properties: {
      Code: { const: resultCode.ok },
      Message: { type: 'string' },
      Data: dataSchema(call, components),
      ...pageProperties,
    },
  }
  return {
    description: '成功（Code 为 10000）或拒绝（其他 Code）',
    content: {
      'application/json': {
        schema: {
          oneOf: [
            components.share(`${outputNameOf(call)} ${output.form} success`, success),
            { $ref: '#/components/schemas/Refusal' },
          ],
        },
        examples: {
          success: components.example({
            Code: resultCode.ok,
            Message: '',
            Data: exampleOfData(output),
            ...('Total' in pageProperties ? { Total: 1 } : {}),
          }),
        },
      },
    },
  }
}

/** Members at the top of a query, not under `data.`. */
const topLevelNames = new Set(['ID', 'Ids', 'PageIndex', 'PageSize', 'ProjectCode'])
const senderNames = ['OwnerID', 'OperaterID', 'ProjectCode'] as const

function queryParameter(name: string, field: Field, components: Components): JsonObject {
  const { description, ...schema } = components.field(field, 'input', name)
  const isList = field.kind === 'choices'
  return components.parameter(name, {
    name,
    in: 'query',
    ...(field.required ? { required: true } : {}),
    description,
    schema:
      field.kind === 'lines' || field.kind === 'part' ? { type: 'string', description: 'JSON' } : schema,
    ...(isList ? { style: 'form', explode: false } : {}),
  })
}

function parametersOf(call: Call, components: Components): JsonObject[] {
  const { form, fields } = call.input
  const named = Object.entries<Field>(fields).map(([key, field]) => {
    const name = form === 'value' ? 'Data' : wireNameOf(key, field, call.input)
    const isTopLevel = methodOf(call) === 'DELETE' || form === 'value' || topLevelNames.has(name)
    return { name, field, sent: isTopLevel ? name : `data.${name}` }
  })
  const names = new Set(named.map(({ name }) => name))
  return [
    // Two fields may share a name, as one filter of two columns: it is sent once.
    ...[...names].flatMap(name => {
      const first = named.find(each => each.name === name)
      return first ? [queryParameter(first.sent, first.field, components)] : []
    }),
    ...senderNames
      .filter(name => !names.has(name))
      .map(name => ({ $ref: `#/components/parameters/Sender${name}` })),
  ]
}

const senderProperties = Object.fromEntries(
  [...senderNames, 'uuid'].map(name => [name, { $ref: `#/components/schemas/Sender${name}` }]),
)

interface Body {
  readonly schema: JsonObject
  readonly example: JsonObject
  readonly isRequired: boolean
}

const isPartialEdit = ({ input, route }: Call): boolean =>
  Boolean(input.isDraft && input.fields.id && route.startsWith('PUT '))

/** What a body must say: of an edit the record alone, since what is not sent is kept. */
const bodyShapeOf = (call: Call): Shape => {
  const { input } = call
  return isPartialEdit(call) && input.fields.id
    ? { ...input, fields: { ...partialFields(input.fields), id: { ...input.fields.id, required: true } } }
    : input
}

/** A body's schema; `Data` is required where the call requires input. */
function bodyOf(call: Call, components: Components): Body {
  const input = bodyShapeOf(call)
  const options = { isPartial: isPartialEdit(call) }
  const { uuid, ...sender } = senderProperties
  const own = isWrite(call) ? { ...sender, uuid } : sender
  const isRequired = wireMembersOf(input).some(({ field }) => field.required)
  const example = exampleOfMembers(input, 'input')
  if (call.flat) {
    const flat = components.resolve(components.object(input, 'input', inputNameOf(call), options))
    const properties = typeof flat.properties === 'object' ? flat.properties : {}
    return { schema: { ...flat, properties: { ...own, ...properties } }, example, isRequired }
  }
  if (input.form === 'none') return { schema: { type: 'object', properties: own }, example: {}, isRequired }
  const value = input.form === 'value' ? defined(input.fields.data) : undefined
  const data = value
    ? components.field(value, 'input', inputNameOf(call))
    : components.object(input, 'input', inputNameOf(call), options)
  return {
    schema: {
      type: 'object',
      properties: { ...own, Data: data },
      ...(isRequired ? { required: ['Data'] } : {}),
    },
    example: { Data: value ? exampleOfValue(value, 'input') : example },
    isRequired,
  }
}

function requestBodyOf(call: Call, components: Components): JsonObject {
  const { schema: own, example, isRequired } = bodyOf(call, components)
  if (call.upload) {
    const properties = {
      file: {
        type: 'string',
        format: 'binary',
        description: `最大 ${call.upload / 1048576} MB`,
      },
      ...(typeof own.properties === 'object' ? own.properties : {}),
    }
    return {
      required: true,
      content: { 'multipart/form-data': { schema: { ...own, required: ['file'], properties } } },
    }
  }
  const schema = components.share(`${baseNameOf(call)} request`, own)
  return {
    required: isRequired,
    content: {
      'application/json': { schema, examples: { required: components.example(example) } },
      ...(methodOf(call) === 'POST' ? { 'application/x-www-form-urlencoded': { schema } } : {}),
    },
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

/** Who may call it: nobody in particular, a session, or an API key as well. */
function securityOf(call: Call, { sessionOnly = false }: Pick<ModuleManifest, 'sessionOnly'>): JsonObject[] {
  if (call.needs === publicAccess) return []
  const isOpenToKeys = call.openToKeys || (!sessionOnly && (call.needs !== everyone || !isWrite(call)))
  return isOpenToKeys ? [{ token: [] }, { apiKey: [] }] : [{ token: [] }]
}

export function buildOperation(
  call: Call,
  manifest: Pick<ModuleManifest, 'label' | 'sessionOnly'>,
  components: Components,
): JsonObject {
  const method = methodOf(call)
  const isPublic = call.needs === publicAccess
  return {
    tags: [manifest.label],
    summary: call.title,
    operationId: operationIdOf(call),
    'x-permission': typeof call.needs === 'object' ? call.needs.key : null,
    'x-needs': permissionLabel(call),
    'x-names': call.aliases ?? [],
    'x-codes': codesOf(call),
    ...(call.perMinute ? { 'x-per-minute': call.perMinute } : {}),
    ...(call.upload ? { 'x-upload': call.upload } : {}),
    security: securityOf(call, manifest),
    ...(method === 'GET' || method === 'DELETE'
      ? { parameters: parametersOf(call, components) }
      : { requestBody: requestBodyOf(call, components) }),
    responses: {
      200: successResponse(call, components),
      ...(isPublic ? {} : { 401: { $ref: '#/components/responses/SignInRequired' } }),
      429: { $ref: '#/components/responses/TooManyRequests' },
      503: { $ref: '#/components/responses/Unavailable' },
    },
  }
}
