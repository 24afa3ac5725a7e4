import { defined } from '#kit/domain/defined.ts'
import { call, type Call, type Permission } from '#kit/contract/call.ts'
import type { Entity } from '#kit/contract/entity.ts'
import {
  choice,
  int,
  money,
  text,
  type Choices,
  type Field,
  type Fields,
  type Fen,
} from '#kit/contract/field.ts'
import { search, type Page } from '#kit/contract/shape.ts'
import { sheetColumns, type SheetColumn } from '#kit/contract/sheet.ts'
import { declareExport, type ExportCalls } from '#kit/contract/import-export.ts'

const keyFields = {
  key: text('编码', { hiddenIn: ['table', 'sheet'] }),
  name: text('名称', { required: true }),
}

export const moneyFigure = (label: string, help?: string): Field<Fen, true, 'money'> =>
  money(label, { required: true, ...(help ? { help } : {}) })

export const countFigure = (label: string, help?: string): Field<number, true, 'int'> =>
  int(label, { required: true, ...(help ? { help } : {}) })

/** A share of two figures, with its sign (STAT-13). */
export const rateFigure = (label: string, help: string): Field<string, false, 'text'> =>
  text(label, { percent: true, help })

/** The name of the row of what belongs to nothing (STAT-3); it has no key. */
export const unassignedName = '未归属'
export type ReportRow = { readonly key?: string; readonly name: string } & Readonly<Record<string, unknown>>

interface ReportInput {
  readonly page?: number
  readonly size?: number
  readonly order?: string
  readonly keyword?: string
  readonly projectCode?: string
  /** The key of a dimension. */
  readonly by?: string
}

/** The filters are looked up by their names. */
export type ReportQuery = ReportInput & Readonly<Record<string, unknown>>

/**
 * A report as a table of data: over which entity, filtered by what, broken down by which dimensions, with
 * which figures. Its list, its totals over the whole filter (STAT-1), its export and its screen all come from
 * it; the statement is in `server/`, the drill-downs in `web/`.
 */
export interface Report {
  readonly key: string
  readonly title: string
  /** Whose rows are counted; its data domain and its filters are the report's. */
  readonly entity: Entity
  readonly filters: readonly string[]
  /**
   * Filters that are no field of the entity but are shown as if they were; the source gives their meaning.
   */
  readonly extraFilters: Fields
  readonly dimensions: Choices
  /** The first one. */
  readonly defaultDimension: string
  readonly figures: Fields
  /** What follows from the figures of a row, or of the totals: a rate. */
  readonly derived: Fields
  /**
   * Figures whose total is the first or the last row's, in the order of the key: what a chain of months opens
   * and closes with.
   */
  readonly edges: Readonly<Record<string, 'first' | 'last'>>
  readonly list: Call<ReportQuery, Page<ReportRow>>
  readonly export: ExportCalls<ReportQuery>
  readonly calls: readonly Call[]
  readonly columns: readonly SheetColumn[]
}

interface ReportOptions {
  readonly key: string
  readonly title: string
  readonly entity: Entity
  /** Keys of the entity's fields. */
  readonly filters: readonly string[]
  readonly extraFilters?: Fields
  /** Further members of the search that no screen offers. */
  readonly hiddenFilters?: Fields
  readonly dimensions: Choices
  readonly figures: Fields
  readonly derived?: Fields
  readonly edges?: Readonly<Record<string, 'first' | 'last'>>
  readonly route: `GET ${string}`
  readonly aliases?: readonly string[]
  readonly exportRoute: `GET ${string}`
  readonly exportAliases?: readonly string[]
  readonly needs: Permission
  readonly exportNeeds: Permission
}

function declareList(
  { title, entity, filters, extraFilters = {}, hiddenFilters = {}, dimensions, ...options }: ReportOptions,
  rowFields: Fields,
): Report['list'] {
  const { edges = {}, figures, derived = {} } = options
  return call<ReportQuery, Page<ReportRow>>({
    route: options.route,
    ...(options.aliases ? { aliases: options.aliases } : {}),
    title,
    needs: options.needs,
    input: search(
      { ...entity, fields: { ...entity.fields, ...extraFilters } },
      [...filters, ...Object.keys(extraFilters)],
      { ...hiddenFilters, by: choice('汇总方式', dimensions) },
    ),
    output: {
      form: 'page',
      fields: rowFields,
      sums: [...Object.keys(figures), ...Object.keys(derived)],
      entity: entity.name,
      nonAdditive: Object.keys(edges),
    },
  })
}

export function defineReport(options: ReportOptions): Report {
  const { key, title, entity, filters, extraFilters = {}, dimensions, figures, derived = {} } = options
  const rowFields = { ...keyFields, ...figures, ...derived }
  const list = declareList(options, rowFields)
  const exportCalls = declareExport({
    route: options.exportRoute,
    ...(options.exportAliases ? { aliases: options.exportAliases } : {}),
    title: `导出${title}`,
    needs: options.exportNeeds,
    list,
  })
  return {
    key,
    title,
    entity,
    filters,
    extraFilters,
    dimensions,
    defaultDimension: defined(Object.keys(dimensions.rows)[0]),
    figures,
    derived,
    edges: options.edges ?? {},
    list,
    export: exportCalls,
    calls: [list, ...exportCalls.calls],
    columns: sheetColumns(rowFields),
  }
}
