import type { Id } from '#kit/domain/id.ts'
import type { Choices } from '#kit/contract/field.ts'
import { isDay, type Day } from '#kit/domain/day.ts'
import { isMonth, type Month } from '#kit/domain/month.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { ReportQuery } from '../contract/report.ts'

export type Sql = RawBuilder<unknown>

export interface ReportContext {
  readonly scope: Scope
  readonly today: Day
}

/**
 * One way of breaking down: the key that rows share, its name (an aggregate), and a join that the name needs.
 */
export interface Dimension {
  readonly key: Sql
  readonly name: Sql
  /** Every part of a statement names the company as a value (`ARCHITECTURE.md`, SQL). */
  readonly join?: (ownerId: Id) => Sql
  /** By its key unless the query sorts, not by size. */
  readonly isSortedByKey?: boolean
  /** Its names are days or months: a sheet writes them as such. */
  readonly calendar?: 'day' | 'month'
}

export type Dimensions = Readonly<Record<string, Dimension>>
export type FigureSql = Readonly<Record<string, Sql>>
export type Figures = Readonly<Record<string, number>>

/**
 * Where a report's rows come from. `from` names the entity's rows `t`; the tenant filter and the entity's own
 * filters are put on `t` by the report.
 */
export interface ReportSource {
  readonly from: (query: ReportQuery, context: ReportContext) => Sql
  readonly where?: (query: ReportQuery, context: ReportContext) => readonly Sql[]
  readonly dimensions: Dimensions | ((context: ReportContext) => Dimensions)
  readonly figures: FigureSql | ((query: ReportQuery, context: ReportContext) => FigureSql)
  /** Amounts that no column shows and `derive` needs. */
  readonly hidden?: (query: ReportQuery, context: ReportContext) => FigureSql
  /** What follows from the figures of a row, or of the totals. */
  readonly derive?: (
    figures: Figures,
    row: { readonly query: ReportQuery; readonly context: ReportContext; readonly isTotal: boolean },
  ) => Readonly<Record<string, unknown>>
}

export const figuresOf = (source: ReportSource, query: ReportQuery, context: ReportContext): FigureSql =>
  typeof source.figures === 'function' ? source.figures(query, context) : source.figures

export const dimensionsOf = (source: ReportSource, context: ReportContext): Dimensions =>
  typeof source.dimensions === 'function' ? source.dimensions(context) : source.dimensions

export const projectDimension: Dimension = {
  key: sql`t.project_code`,
  name: sql`max(dim.name)`,
  join: ownerId => sql`left join estate dim on dim.owner_id = ${ownerId}
    and dim.project_code = t.project_code
    and ${notDeleted('dim')}`,
}

/** A building is known by its project and its code. */
export const buildingDimension: Dimension = {
  key: sql`t.project_code || '/' || t.build_code`,
  name: sql`max(dim.name)`,
  join: ownerId => sql`left join building dim on dim.owner_id = ${ownerId}
    and dim.project_code = t.project_code
    and dim.code = t.build_code
    and ${notDeleted('dim')}`,
}

const createCalendarDimension = (calendar: 'day' | 'month', key: Sql): Dimension => ({
  key,
  name: sql`max(${key})`,
  isSortedByKey: true,
  calendar,
})

export const createDayDimension = (key: Sql): Dimension => createCalendarDimension('day', key)
export const createMonthDimension = (key: Sql): Dimension => createCalendarDimension('month', key)

/** The label of a choice by its code. */
export const choiceLabelSql = (choices: Choices, column: Sql): Sql =>
  sql`max(case ${column} ${sql.join(
    Object.values(choices.rows).map(
      ([value, label]) =>
        sql`when ${sql.raw(typeof value === 'number' ? String(value) : `'${value}'`)} then ${label}::text`,
    ),
    sql` `,
  )} end)`

/** The sum of an expression, zero where there are no rows. */
export const sumOf = (expression: string): Sql => sql`coalesce(sum(${sql.raw(expression)}), 0)`

/** A filter's day or month; undefined where the query has none. */
export const dayFilter = (query: ReportQuery, key: string): Day | undefined => {
  const value = query[key]
  return typeof value === 'string' && isDay(value) ? value : undefined
}

export const monthFilter = (query: ReportQuery, key: string): Month | undefined => {
  const value = query[key]
  return typeof value === 'string' && isMonth(value) ? value : undefined
}

/** A filter's values as texts; none where the query has none. */
export const listFilter = (query: ReportQuery, key: string): readonly string[] => {
  const value = query[key]
  return value === undefined ? [] : [value].flat().map(String)
}
