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
  type ValueOf,
} from '#kit/contract/field.ts'
import { pageOfRows, search, type Page } from '#kit/contract/shape.ts'
import { sheetColumns, type SheetColumn } from '#kit/contract/sheet.ts'
import { declareExport, type ExportCalls } from '#kit/contract/import-export.ts'

/**
 * What every report answers for one thing it is broken down by: its key, its name (未归属 where there is none:
 * STAT-3).
 */
const keyFields = {
  key: text('编码', { hiddenIn: ['table', 'sheet'] }),
  name: text('名称', { required: true }),
}

export const moneyFigure = (label: string, help?: string): Field<number, true, 'money'> =>
  money(label, { required: true, ...(help ? { help } : {}) })

export const countFigure = (label: string, help?: string): Field<number, true, 'int'> =>
  int(label, { required: true, ...(help ? { help } : {}) })

/** The name of what belongs to nothing; it has no key. */
export const nowhere = '未归属'
export type ReportRow = { readonly key?: string; readonly name: string } & Readonly<Record<string, unknown>>

export interface ReportInput {
  readonly page?: number
  readonly size?: number
  readonly order?: string
  readonly keyword?: string
  readonly projectCode?: string
  readonly by?: string
}

/**
 * A report as a table of data: over which entity, narrowed by what, broken down by what, with which figures.
 * Its list, its totals over the whole filter (STAT-1), its export and its screen all come from it; the
 * statement stands in `server/`, the way down to the rows in `web/`.
 */
export interface Report {
  readonly key: string
  readonly title: string
  /** Whose rows are counted; its wall and its filters are the report's. */
  readonly of: Entity<any>
  readonly filters: readonly string[]
  /** Filters that are no field of the entity, asked as if they were: the statement says what they mean. */
  readonly asks: Fields
  /** What it may be broken down by; the first is the usual one. */
  readonly by: Choices
  readonly defaultBy: string
  readonly figures: Fields
  /** What follows from the figures of a row, or of the totals: a rate. */
  readonly derived: Fields
  /**
   * Figures whose total is the first or the last row's, in the order of the key: what a chain of months opens
   * and closes with.
   */
  readonly edges: Readonly<Record<string, 'first' | 'last'>>
  readonly list: Call<ReportInput & Readonly<Record<string, unknown>>, Page<ReportRow>>
  readonly export: ExportCalls<any>
  readonly columns: readonly SheetColumn[]
}

interface ReportOptions {
  readonly key: string
  readonly title: string
  readonly of: Entity<any>
  /** Keys of the entity's fields. */
  readonly filters: readonly string[]
  readonly asks?: Fields
  /** Further members of the search that no screen asks. */
  readonly beside?: Fields
  readonly by: Choices
  readonly figures: Fields
  readonly derived?: Fields
  readonly edges?: Readonly<Record<string, 'first' | 'last'>>
  readonly at: `GET ${string}`
  readonly names?: readonly string[]
  readonly exportAt: `GET ${string}`
  readonly exportNames?: readonly string[]
  readonly needs: Permission
  readonly exportNeeds: Permission
}

export function defineReport({
  key,
  title,
  of,
  filters,
  asks = {},
  beside = {},
  by,
  figures,
  derived = {},
  edges = {},
  at,
  names,
  exportAt,
  exportNames,
  needs,
  exportNeeds,
}: ReportOptions): Report {
  const row = { ...keyFields, ...figures, ...derived }
  const usual = defined(Object.keys(by.rows)[0])
  const list = call({
    route: at,
    ...(names ? { aliases: names } : {}),
    title,
    needs,
    input: search({ ...of, fields: { ...of.fields, ...asks } }, [...filters, ...Object.keys(asks)] as never, {
      ...beside,
      by: choice('汇总方式', by),
    }),
    output: {
      ...pageOfRows(row, { sums: [...Object.keys(figures), ...Object.keys(derived)] as never }),
      entity: of.name,
      nonAdditive: Object.keys(edges),
    },
  })
  return {
    key,
    title,
    of,
    filters,
    asks,
    by,
    defaultBy: usual,
    figures,
    derived,
    edges,
    list: list as never,
    export: declareExport({
      route: exportAt,
      ...(exportNames ? { aliases: exportNames } : {}),
      title: `导出${title}`,
      needs: exportNeeds,
      of: list as Call,
    }),
    columns: sheetColumns(row),
  }
}

export type FigureOf<F extends Fields> = ValueOf<F>
