import { defined } from '#kit/domain/defined.ts'
import type { Call, Permission } from './call.ts'
import type { Entity } from './entity.ts'
import type { ChoiceRow, Choices, Field, Fields, ValueOf } from './field.ts'
import { declareExport, declareImport, type ExportCalls, type ImportCalls } from './import-export.ts'
import { sheetColumns, sheetSchemaOf, type SheetColumn, type SheetSchema } from './sheet.ts'

/** A line of an entity's sheet: its fields as far as they are filled in, and the sheet's own columns. */
export type SheetRow<F extends Fields, S extends Fields = {}> = Partial<ValueOf<Omit<F, keyof S>>> &
  ValueOf<S>

/** An export with the columns it has unless others are chosen. */
export interface CrudExport<I = any> extends ExportCalls<I> {
  readonly columns: readonly SheetColumn[]
  /** What its sheet is called. */
  readonly label: string
}

/** An import with the sheet that it reads. */
export interface CrudImport<T = any, X extends Fields = any> extends ImportCalls<X> {
  readonly schema: SheetSchema<T>
}

/** A line of an import's sheet. */
export type SheetLineOf<I extends CrudImport> = NonNullable<I['schema']['T']>

interface Declared<F extends Fields> {
  readonly entity: Entity<F>
  readonly path: string
}

/** The export of an entity: the query of its list, the columns that belong in a sheet unless named. */
export function crudExport<F extends Fields, I>(
  declared: Declared<F> & { readonly list: Call<I, any> },
  about: {
    readonly needs: Permission
    readonly route?: `GET ${string}`
    /** What its sheet is called, where that is not the entity's label. */
    readonly label?: string
    readonly columns?: readonly (keyof F & string)[]
  },
): CrudExport<I> {
  const label = about.label ?? declared.entity.label
  return {
    label,
    ...declareExport({
      route: about.route ?? `GET ${declared.path}/GetExport`,
      title: `导出${label}`,
      needs: about.needs,
      list: declared.list,
    }),
    columns: sheetColumns(declared.entity.fields, about.columns),
  }
}

interface ImportOptions<
  F extends Fields,
  S extends Fields,
  X extends Fields,
  R extends { readonly [key: string]: ChoiceRow },
> {
  readonly needs: Permission
  readonly route?: `POST ${string}`
  readonly aliases?: readonly string[]
  /** What its sheet is called, where that is not the entity's label. */
  readonly label?: string
  /** Keys of the entity and of `fields`, in order; by default those of `fields`, else what a form asks. */
  readonly columns?: readonly ((keyof F | keyof S) & string)[]
  /** Columns that no field of the entity is (a room by its number), or that ask for it otherwise. */
  readonly fields?: S
  /** Required fields that a line may leave out: the rules of the importer ask for them where they must. */
  readonly optional?: readonly (keyof F & string)[]
  /** Lines that agree in all of these are repeats (IMP-6). */
  readonly unique: readonly ((keyof F | keyof S) & string)[]
  /** What the import needs besides the file; by default the project, for an entity of a project. */
  readonly input?: X
  readonly affects?: readonly string[]
  readonly modes?: Choices<keyof R & string>
  /** `楼栋`: what lines name, and the import can add before it checks them. */
  readonly addsMissing?: string
}

type ProjectInput<F> = F extends { readonly projectCode: infer P extends Field<any> }
  ? { readonly projectCode: P }
  : {}

const importKeys = (fields: Fields): string[] =>
  Object.keys(fields).filter(fieldName => {
    const field: Field = defined(fields[fieldName])
    return (
      !field.derived &&
      !['id', 'lines', 'part', 'file'].includes(field.kind) &&
      !['form', 'sheet'].some(place => field.hiddenIn?.includes(place as 'form'))
    )
  })

/**
 * The import of an entity. An empty cell says nothing about the record: start values are given to new ones
 * alone, and only fields that have none are required.
 */
export function crudImport<
  F extends Fields,
  const S extends Fields = {},
  const X extends Fields = ProjectInput<F>,
  const R extends { readonly [key: string]: ChoiceRow } = {},
>(declared: Declared<F>, about: ImportOptions<F, S, X, R>): CrudImport<SheetRow<F, S>, X> {
  const { entity, path } = declared
  const own: Fields | undefined = about.fields
  const label = about.label ?? entity.label
  const columns: readonly string[] = about.columns ?? (own ? Object.keys(own) : importKeys(entity.fields))
  const optional: readonly string[] = about.optional ?? []
  const fieldOf = (key: string): Field => {
    if (own?.[key]) return own[key]
    const f: Field = defined(entity.fields[key])
    const required = f.required && f.initial === undefined && !optional.includes(key)
    return { ...f, required, initial: undefined, hiddenIn: undefined, derived: undefined }
  }
  const fields = Object.fromEntries(columns.map(key => [key, fieldOf(key)]))
  const project = entity.tenancy === 'project' ? { projectCode: defined(entity.fields.projectCode) } : {}
  return {
    ...declareImport({
      route: about.route ?? `POST ${path}/PostImport`,
      ...(about.aliases ? { aliases: about.aliases } : {}),
      title: `导入${label}`,
      needs: about.needs,
      affects: about.affects ?? [entity.name],
      ...(about.modes ? { modes: about.modes } : {}),
      ...(about.addsMissing ? { addsMissing: about.addsMissing } : {}),
      extraInput: about.input ?? (project as unknown as X),
    }),
    schema: sheetSchemaOf<SheetRow<F, S>>(label, { fields }, {
      keys: columns,
      unique: about.unique,
    } as never),
  }
}
