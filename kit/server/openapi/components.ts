import type { Choices, Field, Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { kindBehaviour, nestedFieldsOf } from '#kit/contract/value.ts'
import { isShape, wireMembersOf, type WireMember } from '#kit/contract/wire.ts'

export type JsonObject = { [key: string]: unknown }

/** What is sent to us says what it must; what we answer has every member, `null` for nothing. */
export type Direction = 'input' | 'output'

const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

export const describeField = (field: Field): string =>
  [field.label, field.unit && `单位 ${field.unit}`, field.help, field.rule && `规则 ${field.rule.name}`]
    .filter(Boolean)
    .join('；')

interface ObjectOptions {
  /** For an edit: members that are not sent keep their values. */
  readonly isPartial?: boolean
}

/**
 * The schemas that all calls share. Equal ones are one, under the name of the record they are of, or of the
 * call that speaks of them first.
 */
export class Components {
  readonly #schemas = new Map<string, JsonObject>()
  readonly #nameByContent = new Map<string, string>()
  readonly #nameByFields = { input: new Map<Fields, string>(), output: new Map<Fields, string>() }
  readonly #recursive = new Set<string>()
  readonly #parameterByContent = new Map<string, string>()
  readonly parameters: JsonObject = {}
  readonly #exampleByContent = new Map<string, string>()
  readonly examples: JsonObject = {}

  readonly #taken: ReadonlySet<string>

  /** `taken` are the names of schemas that are beside these. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  #freeName(wanted: string): string {
    for (let n = 1; ; n++) {
      const name = n === 1 ? wanted : `${wanted}${n}`
      if (!this.#schemas.has(name) && !this.#taken.has(name)) return name
    }
  }

  /** Files a schema. Returns how it is referred to. */
  #file(name: string, schema: JsonObject): string {
    const content = JSON.stringify(schema)
    const known = this.#nameByContent.get(content)
    if (known !== undefined && !this.#recursive.has(name)) {
      this.#schemas.delete(name)
      return known
    }
    this.#schemas.set(name, schema)
    this.#nameByContent.set(content, name)
    return name
  }

  /** A schema of its own name, or the equal one that is there. */
  share(hint: string, schema: JsonObject): JsonObject {
    return this.#reference(this.#file(this.#freeName(pascalCase(hint)), schema))
  }

  /** A parameter of a query, or the equal one that is there. */
  parameter(name: string, parameter: JsonObject): JsonObject {
    const content = JSON.stringify(parameter)
    let known = this.#parameterByContent.get(content)
    if (known === undefined) {
      const wanted = pascalCase(name.replace(/^data\./, ''))
      known = wanted
      for (let n = 2; this.parameters[known] !== undefined; n++) {
        known = `${wanted}${n}`
      }
      this.#parameterByContent.set(content, known)
      this.parameters[known] = parameter
    }
    return { $ref: `#/components/parameters/${known}` }
  }

  /** An example, or the equal one that is there. */
  example(value: JsonObject): JsonObject {
    const content = JSON.stringify(value)
    const name = this.#exampleByContent.get(content) ?? `Example${this.#exampleByContent.size + 1}`
    this.#exampleByContent.set(content, name)
    this.examples[name] = { value }
    return { $ref: `#/components/examples/${name}` }
  }

  readonly #reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

  /** A table of choices: the codes on the wire, and their meaning. */
  choice(table: Choices): JsonObject {
    const rows = Object.entries(table.rows)
    const name = this.#freeName(pascalCase(table.name))
    return this.#reference(
      this.#file(name, {
        description: `${table.label}：${rows.map(([, [code, label]]) => `${code}=${label}`).join('，')}`,
        enum: rows.map(([, [code]]) => code),
        'x-enum-varnames': rows.map(([key]) => key),
      }),
    )
  }

  field(field: Field, direction: Direction, hint: string): JsonObject {
    return { ...this.#kind(field, direction, hint), description: describeField(field) }
  }

  #kind(field: Field, direction: Direction, hint: string): JsonObject {
    if (field.kind === 'part') return this.object(nestedFieldsOf(field), direction, hint)
    if (field.kind === 'lines')
      return { type: 'array', items: this.object(nestedFieldsOf(field), direction, hint) }
    if (field.kind === 'choice' && field.choices) return this.choice(field.choices)
    if (field.kind === 'choices' && field.choices) return { type: 'array', items: this.choice(field.choices) }
    return { ...kindBehaviour[field.kind].jsonSchema(field) }
  }

  /** An object: of a record, of a call's input or answer, or of a row within one. */
  object(
    described: Shape | Fields,
    direction: Direction,
    hint: string,
    { isPartial = false }: ObjectOptions = {},
  ): JsonObject {
    // The same fields under a spelling of a shape's own are another object.
    const key = isShape(described) ? (described.wireNames ? undefined : described.fields) : described
    const names = this.#nameByFields[direction]
    const known = key && names.get(key)
    if (known !== undefined) {
      if (this.#schemas.get(known) === openSchema) {
        this.#recursive.add(known)
      }
      return this.#reference(known)
    }
    const name = this.#freeName(pascalCase(hint))
    this.#schemas.set(name, openSchema)
    if (key) {
      names.set(key, name)
    }
    const filed = this.#file(name, this.#members(wireMembersOf(described), direction, name, isPartial))
    if (key) {
      names.set(key, filed)
    }
    return this.#reference(filed)
  }

  #members(
    members: readonly WireMember[],
    direction: Direction,
    name: string,
    isPartial: boolean,
  ): JsonObject {
    const properties: JsonObject = {}
    const required: string[] = []
    for (const { field, key, names } of members) {
      const isOutput = direction === 'output'
      const plain = this.field(field, direction, `${name} ${key}`)
      const schema = isOutput || isPartial ? plain : withInitial(plain, field)
      for (const wireName of isOutput ? names : names.slice(0, 1)) {
        properties[wireName] = isOutput && !field.required ? allowNull(schema) : schema
        if (isOutput || field.required) {
          required.push(wireName)
        }
      }
    }
    return { type: 'object', properties, ...(required.length ? { required } : {}) }
  }

  all(): JsonObject {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  readonly allowNull = allowNull

  /** What a reference stands for. */
  resolve(schema: JsonObject): JsonObject {
    const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : ''
    const { $ref, ...rest } = schema
    return $ref === undefined ? schema : { ...this.#schemas.get(name), ...rest }
  }
}

/**
 * What is taken where nothing is sent, in words: generators take a `default` for a member that is always
 * there, and would have it sent.
 */
function withInitial(schema: JsonObject, field: Field): JsonObject {
  if (field.initial === undefined) return schema
  const value = JSON.stringify(kindBehaviour[field.kind].toWire(field.initial, field))
  return { ...schema, description: [schema.description, `不发送时为 ${value}`].filter(Boolean).join('；') }
}

/** The schema with `null` as one more value. */
function allowNull({ description, ...schema }: JsonObject): JsonObject {
  const described = description === undefined ? {} : { description }
  if (typeof schema.$ref === 'string') return { anyOf: [schema, { type: 'null' }], ...described }
  if (Array.isArray(schema.enum)) {
    const { type, ...rest } = schema
    const types = type === undefined ? {} : { type: [type, 'null'] }
    return { ...rest, ...types, enum: [...schema.enum, null], ...described }
  }
  return { ...schema, type: [schema.type, 'null'], ...described }
}

/** Stands for a schema that is being written: a tree's rows refer to themselves. */
const openSchema: JsonObject = {}
