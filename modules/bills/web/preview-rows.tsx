import { listOfRows, type Shape } from '#kit/contract/shape.ts'
import { WarningFilled } from '@ant-design/icons'
import { buildColumns } from '#kit/web/columns.tsx'
import { Money, formatSigned } from '#kit/web/numbers.tsx'
import { previewRowFields, type PreviewRow } from '../contract/run.ts'

export type PreviewTab = 'make' | 'gap' | 'skip' | 'warn' | 'excluded'

export interface PreviewTableRow extends PreviewRow {
  readonly key: string
  /** Excluded on this page. */
  readonly out: boolean
}

const formatChange = (r: PreviewRow): string =>
  r.change === undefined || Number(r.change) === 0 ? '--' : `${formatSigned(r.change, 2)}%`

/** Without the result, which has a column of its own. */
export const calculationText = (sentence: string | undefined): string =>
  sentence?.replace(/ ?= [\d,.]+ 元$/, '') ?? '--'

/** The rows of the preview; the table adds what this page keeps about them. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape gives the fields; the rows come from this page
const tableRows = listOfRows(previewRowFields) as Shape<readonly PreviewTableRow[]>

export const madeColumns = buildColumns<PreviewTableRow>(tableRows, [
  { key: 'sourceName', strong: true, width: 120 },
  {
    key: 'payerName',
    width: 90,
    render: r => (r.payerMissing ? <span className="jump">无缴费人</span> : (r.payerName ?? '--')),
    text: r => r.payerName ?? '无缴费人',
  },
  { key: 'itemName', width: 110 },
  {
    key: 'begin',
    title: '账期',
    width: 190,
    hidePriority: 1,
    render: r => `${r.begin} 至 ${r.end}`,
    text: r => `${r.begin} 至 ${r.end}`,
  },
  { key: 'sentence', grow: 3, width: 220, render: r => calculationText(r.sentence) },
  {
    key: 'amount',
    render: r => (
      <span className={r.out ? 'struck' : ''}>
        <Money fen={r.amount} strong={!r.out} />
      </span>
    ),
  },
  'last',
  {
    key: 'change',
    align: 'right',
    width: 100,
    render: row =>
      row.isLargeChange ? (
        <span className="jump">
          <WarningFilled /> {formatChange(row)}
        </span>
      ) : (
        formatChange(row)
      ),
    text: formatChange,
  },
])

export const skippedColumns = buildColumns<PreviewRow>(listOfRows(previewRowFields), [
  { key: 'sourceName', strong: true, width: 130 },
  { key: 'itemName', width: 110 },
  { key: 'standardName', width: 150 },
  {
    key: 'begin',
    title: '账期',
    width: 190,
    render: r => (r.begin ? `${r.begin} 至 ${r.end}` : '--'),
    text: r => (r.begin ? `${r.begin} 至 ${r.end}` : '--'),
  },
  { key: 'reason', width: 110 },
  { key: 'detail', grow: 2, width: 200 },
])

/** Free periods in the middle: what they would cost, and why they are free (GEN-3). */
export const gapColumns = buildColumns<PreviewTableRow>(tableRows, [
  { key: 'sourceName', strong: true, width: 120 },
  { key: 'payerName', width: 90 },
  { key: 'itemName', width: 110 },
  {
    key: 'begin',
    title: '账期',
    width: 190,
    render: r => `${r.begin} 至 ${r.end}`,
    text: r => `${r.begin} 至 ${r.end}`,
  },
  'amount',
  { key: 'periodAfter', width: 100 },
  { key: 'detail', title: '漏账原因', grow: 3, width: 240 },
])

/** What the lists of a preview are narrowed by. */
export interface PreviewFilter {
  readonly tab: PreviewTab
  readonly keyword: string
  readonly itemName: string | undefined
  readonly buildCode: string | undefined
  readonly onlyWarnings: boolean
  readonly skipReason: PreviewRow['reason']
}

const hasWarning = (r: PreviewRow): boolean => Boolean(r.isLargeChange || r.payerMissing)

function isInTab(row: PreviewTableRow, { tab, skipReason }: PreviewFilter): boolean {
  if (tab === 'make') return row.group === 'make'
  if (tab === 'gap') return row.group === 'gap'
  if (tab === 'warn') return row.group === 'make' && hasWarning(row)
  if (tab === 'skip') return row.group === 'skip' && (!skipReason || row.reason === skipReason)
  return row.group === 'excluded' || (row.group === 'make' && row.out)
}

const matchesKeyword = (r: PreviewTableRow, keyword: string): boolean =>
  !keyword ||
  [r.sourceName, r.payerName, r.itemName].some(t => t?.toLowerCase().includes(keyword.toLowerCase()))

export const filterRows = (rows: readonly PreviewTableRow[], filter: PreviewFilter): PreviewTableRow[] =>
  rows.filter(
    row =>
      isInTab(row, filter) &&
      matchesKeyword(row, filter.keyword) &&
      (!filter.itemName || row.itemName === filter.itemName) &&
      (!filter.buildCode || row.buildCode === filter.buildCode) &&
      (!filter.onlyWarnings || hasWarning(row)),
  )
