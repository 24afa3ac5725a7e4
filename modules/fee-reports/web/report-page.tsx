import { PrinterOutlined } from '@ant-design/icons'
import { useMemo, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { buildColumns, type Column, type ColumnSpec } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useListColumns } from '#kit/web/list/use-list-columns.ts'
import { useCall } from '#kit/web/query.ts'
import type { Actions } from '#kit/web/action.tsx'
import { unassignedName, type ReportRow } from '../contract/report.ts'
import { useDrilldown, type Drilldowns, type Filter } from './drilldown.ts'
import { reportViewName, useReportQuery, type ReportQueryOptions } from './report-query.ts'
import { ReportToolbar } from './report-toolbar.tsx'
import './reports.css'

const ReportPrint = lazyComponent(() => import('./report-print.tsx').then(m => m.ReportPrint))

export interface ReportScreen extends ReportQueryOptions {
  /** By default every figure and what is derived of them. */
  readonly columns?: readonly ColumnSpec<ReportRow>[] | ((by: string) => readonly ColumnSpec<ReportRow>[])
  readonly barFilters?: readonly string[]
  /** Totals that are above the list. */
  readonly topTotals?: readonly string[]
  readonly drilldowns?: Drilldowns
  /** What the rows behind the figures are, where they are not just the parts of them. */
  readonly linkTitle?: string
  /** Stands first above the list: the choice between reports of one screen. */
  readonly header?: ReactNode
  readonly toolbarActions?: Actions
}

/** The name under the label of the dimension, then the figures, each a link to the rows behind it. */
function useReportColumns(
  { report, columns, drilldowns, linkTitle }: ReportScreen,
  query: Filter,
  by: string,
): readonly Column<ReportRow>[] {
  const drilldownLink = useDrilldown(drilldowns)
  return useMemo(() => {
    const linked = (column: Column<ReportRow>): Column<ReportRow> => ({
      ...column,
      render: row => {
        const to = column.field && drilldownLink(column.key, { query, by, row })
        return to && row[column.key] && row[column.key] !== '0' ? (
          <Link to={to} className="report-figure" title={linkTitle}>
            {column.render(row)}
          </Link>
        ) : (
          column.render(row)
        )
      },
    })
    const asRate = (column: Column<ReportRow>): Column<ReportRow> => ({
      ...column,
      sortKey: undefined,
      align: 'right',
      width: 92,
      grow: 0,
    })
    const figureColumns = (typeof columns === 'function' ? columns(by) : columns) ?? [
      ...Object.keys(report.figures),
      ...Object.keys(report.derived),
    ]
    const title = labelOf(report.dimensions, by) ?? '名称'
    return buildColumns(report.list.output, [
      { key: 'name', title, width: 160, grow: 1, identity: true, strong: true },
      ...figureColumns,
    ]).map(column =>
      column.key === 'name' ? column : linked(report.derived[column.key] ? asRate(column) : column),
    )
  }, [by, columns, drilldownLink, linkTitle, query, report])
}

/**
 * A report as a screen: shortcuts, dimension, totals of the whole filter, a drill-down from every figure,
 * export and print.
 */
export function ReportPage(screen: ReportScreen) {
  const { report, barFilters, topTotals, toolbarActions = [] } = screen
  const { query, keyword, changeQuery, views, by, columnPreferences } = useReportQuery(screen)
  const [isPrinting, setPrinting] = useState(false)
  const wholeQuery = useMemo(() => ({ ...query, ...(keyword ? { keyword } : {}) }), [query, keyword])
  const totals = useCall(
    report.list,
    { ...wholeQuery, page: 1, size: 1 },
    { quiet: true, keepPrevious: true, enabled: topTotals !== undefined },
  ).data?.sum
  const columns = useReportColumns(screen, query, by)
  // The paper has the columns that the person chose, however wide the window is.
  const { shownColumns } = useListColumns(columns, columnPreferences)
  return (
    <>
      <ListPage
        list={report.list}
        itemName="数据"
        settingsKey={reportViewName(report)}
        columns={columns}
        keyOf={row => row.key ?? unassignedName}
        filters={[...Object.keys(report.extraFilters), ...report.filters]}
        {...(barFilters ? { barFilters } : {})}
        views={views}
        export={report.export}
        extraFilterFields={{ ...report.entity.fields, ...report.extraFilters }}
        keywordPlaceholder="名称"
        belowToolbar={
          <ReportToolbar {...screen} query={query} by={by} onQueryChange={changeQuery} sums={totals} />
        }
        toolbarActions={[
          ...toolbarActions,
          { label: '打印', icon: <PrinterOutlined />, run: () => setPrinting(true) },
        ]}
      />
      {isPrinting && (
        <ReportPrint
          report={report}
          query={wholeQuery}
          by={by}
          columns={shownColumns}
          onDone={() => setPrinting(false)}
        />
      )}
    </>
  )
}
