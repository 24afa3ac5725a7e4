import type { BulkResult } from './bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { call, everyone, type Call, type Method, type Needs, type Permission } from './call.ts'
import type { Entity } from './entity.ts'
import { list, pickFields, type Field, type Fields, type ValueOf } from './field.ts'
import {
  byId,
  bulkResult,
  byIdsWithReason,
  draftOf,
  extendShape,
  omitFields,
  pageOf,
  pageOfRows,
  recordOf,
  search,
  type Draft,
  type Page,
  type ListQuery,
  type SearchInput,
  type Shape,
  type WireNames,
} from './shape.ts'

/** The plain calls of an entity. `save` adds without an id and edits with one (G-2). */
export type CrudOperation = 'list' | 'get' | 'add' | 'edit' | 'save' | 'delete'

interface CrudCalls<F extends Fields, L extends keyof F & string, W extends keyof F & string, X, A> {
  readonly list: Call<SearchInput<F, L, X>, Page<ValueOf<F>>>
  readonly get: Call<{ readonly id: Id }, ValueOf<F>>
  readonly add: Call<Draft<F, W> & ValueOf<A>, ValueOf<F>>
  readonly edit: Call<Draft<F, W>, ValueOf<F>>
  readonly save: Call<Draft<F, W>, ValueOf<F>>
  readonly delete: Call<{ readonly ids: readonly string[]; readonly reason: string }, BulkResult>
}

/** What differs from the plain declaration of one call. */
interface CallOverride<F> {
  /** A whole route; by default the verb's method at the path of the entity. */
  readonly route?: `${Method} ${string}`
  readonly aliases?: readonly string[]
  readonly title?: string
  readonly needs?: Needs
  /** Other entities whose lists are stale after it, beside those of all calls. */
  readonly affects?: readonly string[]
  readonly wireNames?: WireNames<F>
}

export interface CrudOptions<
  F extends Fields,
  L extends keyof F & string,
  W extends keyof F & string,
  X extends Fields,
  A extends Fields,
  V extends CrudOperation,
> extends Partial<Record<CrudOperation, CallOverride<F>>> {
  /** `Company`: `GET Company/Get`, `GET Company/GetOne`, `POST Company/Post`, `PUT Company/Put`, … */
  readonly path: string
  readonly permissions: Readonly<Record<'view' | 'add' | 'edit' | 'del', Permission>>
  /** The calls to declare: by default all but `save`. */
  readonly operations?: readonly V[]
  /** The filters of a list, in the order of the filter bar; by default all possible ones. */
  readonly filters?: readonly L[]
  /** Further search parameters; the server's `filter` hook handles them. */
  readonly search?: X
  /** The list is never narrowed to the chosen project. */
  readonly allProjects?: boolean
  readonly sums?: readonly (keyof F & string)[]
  /** Fields that no form saves: other calls change them. */
  readonly without?: readonly W[]
  /** Input for creating a record that another entity stores. */
  readonly addFields?: A
  /** Entities whose lists are stale after any of the writing calls, beside this one's. */
  readonly affects?: readonly string[]
  /** Spelling of answered records where the specification names a field two ways. */
  readonly wireNames?: WireNames<F>
  /** The same of what a form saves. */
  readonly draftWireNames?: WireNames<F>
  /** Fields that these calls save under another label, or require though other calls do not. */
  readonly draftFields?: Fields
  /** What people call one record (`标签`), where it is not the label of the entity. */
  readonly itemName?: string
}

export type Crud<
  F extends Fields,
  L extends keyof F & string = keyof F & string,
  W extends keyof F & string = never,
  X = {},
  A = {},
  V extends CrudOperation = CrudOperation,
> = Pick<CrudCalls<F, L, W, X, A>, V> & {
  readonly entity: Entity<F>
  readonly path: string
  readonly itemName: string
  readonly permissions: CrudPermissions
  readonly filters: readonly L[]
  /** The declared calls, for the module's contract. */
  readonly calls: readonly Call[]
}

type CrudPermissions = CrudOptions<Fields, string, string, Fields, Fields, CrudOperation>['permissions']

const plainRoutes = {
  list: ['GET', 'Get', '查询'],
  get: ['GET', 'GetOne', '查看'],
  add: ['POST', 'Post', '新增'],
  edit: ['PUT', 'Put', '编辑'],
  save: ['POST', 'Save', '保存'],
  delete: ['DELETE', 'Delete', '删除'],
} as const

const flagByOperation = {
  list: 'view',
  get: 'view',
  add: 'add',
  edit: 'edit',
  save: 'edit',
  delete: 'del',
} as const

const standardOperations: readonly CrudOperation[] = ['list', 'get', 'add', 'edit', 'delete']

/** What a filter bar can offer of an entity. */
const filterableKeys = (fields: Fields): string[] =>
  Object.keys(fields).filter(k => {
    const f: Field = defined(fields[k])
    return !f.hiddenIn?.includes('filter') && !f.derived && !['id', 'lines', 'part', 'file'].includes(f.kind)
  })

/** The same with some of its fields declared otherwise: under another label, or required. */
export const redeclareFields = <T>(shape: Shape<T>, fields: Fields): Shape<T> => ({
  ...shape,
  fields: { ...shape.fields, ...fields },
})

/**
 * Declares the plain calls of an entity with their names, titles and permissions; what is special is a call
 * of its own beside them. `crudHandlers` serves them.
 */
export function crud<
  const F extends Fields,
  const L extends keyof F & string = keyof F & string,
  const W extends keyof F & string = never,
  const X extends Fields = {},
  const A extends Fields = {},
  const V extends CrudOperation = 'list' | 'get' | 'add' | 'edit' | 'delete',
>(entity: Entity<F>, about: CrudOptions<F, L, W, X, A, V>): Crud<F, L, W, X, A, V> {
  const { path, permissions, wireNames } = about
  const filters = about.filters ?? (filterableKeys(entity.fields) as L[])
  const spelling = wireNames ? { wireNames } : {}
  const found = search(entity, filters, about.search)
  const draftSpelling = about.draftWireNames ? { wireNames: about.draftWireNames } : {}
  const draft = redeclareFields(draftOf(entity, about.without, draftSpelling), about.draftFields ?? {})
  const record = recordOf(entity, spelling)
  const shapes: Record<CrudOperation, readonly [input: Shape, output: Shape]> = {
    list: [
      about.allProjects ? omitFields(found, ['projectCode']) : found,
      pageOf(entity, {
        ...spelling,
        ...(about.list?.wireNames ? { wireNames: about.list.wireNames } : {}),
        ...(about.sums ? { sums: about.sums } : {}),
      }),
    ],
    get: [byId, record],
    add: [about.addFields ? extendShape(draft, about.addFields) : draft, record],
    edit: [draft, record],
    save: [draft, record],
    delete: [byIdsWithReason, bulkResult],
  }
  const declare = (operation: CrudOperation): Call => {
    const own = about[operation] ?? {}
    const [method, name, title] = plainRoutes[operation]
    const affects = [...new Set([entity.name, ...(about.affects ?? []), ...(own.affects ?? [])])]
    const reads = operation === 'list' || operation === 'get'
    return call({
      route: own.route ?? `${method} ${path}/${name}`,
      ...(own.aliases ? { aliases: own.aliases } : {}),
      title: own.title ?? `${title}${entity.label}`,
      needs: own.needs ?? permissions[flagByOperation[operation]],
      input: shapes[operation][0],
      output: shapes[operation][1],
      ...(reads ? {} : { affects }),
    })
  }
  const declared = Object.fromEntries(
    (about.operations ?? standardOperations).map(operation => [operation, declare(operation)]),
  )
  return {
    ...declared,
    entity,
    path,
    itemName: about.itemName ?? entity.label,
    permissions,
    filters,
    calls: Object.values(declared),
  } as unknown as Crud<F, L, W, X, A, V>
}

interface PickerOptions<K extends string, X extends Fields> {
  readonly route: Call['route']
  readonly aliases?: readonly string[]
  readonly title: string
  /** What a row says: no masked field, no money (`tools/open-calls.test.ts`). */
  readonly fields: readonly K[]
  /** What else may be asked, as in the list of the entity. */
  readonly search?: X
  readonly wireNames?: WireNames<Fields>
  /** Everyone, where the rows tell nothing about people. */
  readonly needs?: Needs
}

type PickerInput<X> = Omit<ListQuery, 'order'> & { readonly projectCode?: string } & ValueOf<X>

/**
 * A slim list for pickers, open to everyone who is signed in unless it needs a right. It takes no filter and
 * no order by a field that it does not show: either would tell it. `crudHandlers` serves it with the
 * conditions of the list.
 */
export function pickerOf<F extends Fields, const K extends keyof F & string, const X extends Fields = {}>(
  entity: Entity<F>,
  { route, aliases, title, fields, search: extraFields, wireNames, needs = everyone }: PickerOptions<K, X>,
): Call<PickerInput<X>, Page<ValueOf<Pick<F, K>>>> {
  const shown = pickFields(entity.fields, fields)
  return call({
    route,
    ...(aliases ? { aliases } : {}),
    title,
    needs,
    input: omitFields(search(entity, [], extraFields), ['order']) as Shape<never>,
    output: pageOfRows(shown, { entity: entity.name, ...(wireNames ? { wireNames } : {}) }) as Shape<never>,
  })
}

/** Records of given ids, for pickers that know what was chosen. The `filter` of `crudHandlers` handles it. */
export const idsFilter = list('编号', { max: 2000, wire: 'Ids' })
