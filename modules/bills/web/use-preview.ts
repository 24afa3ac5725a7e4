import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import { useMemo, useState } from 'react'
import { download } from '#kit/web/send.ts'
import type { TableSelection } from '#kit/web/table/data-table.tsx'
import { toast } from '#kit/web/toast.ts'
import { exportPreview, type RunPreview, type RunRequest, type PreviewRow } from '../contract/run.ts'
import { filterRows, type PreviewFilter, type PreviewTableRow } from './preview-rows.tsx'

const firstFilter: PreviewFilter = {
  tab: 'make',
  keyword: '',
  itemName: undefined,
  buildCode: undefined,
  onlyWarnings: false,
  skipReason: undefined,
}

/** The rows of a preview, which relations are excluded from the run, and how the list is narrowed. */
export function usePreview(preview: RunPreview | undefined) {
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<Id>>(new Set())
  /** Gaps whose tick was changed by hand, by key. */
  const [changedGaps, setChangedGaps] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [filter, setFilter] = useState(firstFilter)
  const rows = useMemo(
    () =>
      (preview?.rows ?? []).map((r, i): PreviewTableRow => ({
        ...r,
        key: String(i),
        out: isOut(r, excludedIds, changedGaps),
      })),
    [preview, excludedIds, changedGaps],
  )
  const visibleRows = useMemo(() => filterRows(rows, filter), [rows, filter])
  return {
    rows,
    shown: visibleRows,
    excludedHere: rows.filter(r => r.group === 'make' && r.out),
    excludedIds: [...excludedIds].map(String),
    changedGaps: rows.filter(r => r.group === 'gap' && r.selectedByDefault !== !r.out),
    /** The selected gaps, once a selection was changed by hand; the usual ones without it. */
    selectedGaps: changedGaps.size
      ? rows.flatMap(r => (r.group === 'gap' && !r.out && r.gapKey ? [r.gapKey] : []))
      : undefined,
    filter,
    changeFilter: (change: Partial<PreviewFilter>): void => setFilter(f => ({ ...f, ...change })),
    selection:
      filter.tab === 'gap'
        ? gapSelectionOf(visibleRows, setChangedGaps)
        : selectionOf(visibleRows, setExcludedIds),
  }
}

const isOut = (
  row: PreviewRow,
  excludedIds: ReadonlySet<Id>,
  changedGaps: ReadonlyMap<string, boolean>,
): boolean =>
  row.group === 'gap'
    ? !(changedGaps.get(row.gapKey ?? '') ?? row.selectedByDefault)
    : excludedIds.has(row.relationId)

/** A tick stands for one period. */
const gapSelectionOf = (
  visibleRows: readonly PreviewTableRow[],
  setChangedGaps: (change: (gaps: ReadonlyMap<string, boolean>) => ReadonlyMap<string, boolean>) => void,
): TableSelection => ({
  isSelected: k => !(visibleRows.find(r => r.key === k)?.out ?? true),
  isAllSelected: visibleRows.length > 0 && visibleRows.every(r => !r.out),
  isSomeSelected: visibleRows.some(r => !r.out),
  setSelected: (indexes, selected) =>
    setChangedGaps(
      gaps =>
        new Map([
          ...gaps,
          ...indexes.flatMap((i): [string, boolean][] => {
            const key = visibleRows[i]?.gapKey
            return key ? [[key, selected]] : []
          }),
        ]),
    ),
  disabledReason: () => undefined,
})

export type PreviewState = ReturnType<typeof usePreview>

/** A tick stands for the relation: unticking one period excludes all periods of its relation. */
const selectionOf = (
  visibleRows: readonly PreviewTableRow[],
  setExcludedIds: (change: (ids: ReadonlySet<Id>) => ReadonlySet<Id>) => void,
): TableSelection => ({
  isSelected: k => !(visibleRows.find(r => r.key === k)?.out ?? false),
  isAllSelected: visibleRows.length > 0 && visibleRows.every(r => !r.out),
  isSomeSelected: visibleRows.some(r => !r.out),
  setSelected: (indexes, selected) =>
    setExcludedIds(ids => {
      const next = new Set(ids)
      for (const index of indexes) {
        const row = visibleRows[index]
        if (row?.group !== 'make') continue
        if (selected) {
          next.delete(row.relationId)
        } else {
          next.add(row.relationId)
        }
      }
      return next
    }),
  disabledReason: i => (visibleRows[i]?.group === 'make' ? undefined : '不出账'),
})

/** Downloads one group of the preview as a workbook. */
export function usePreviewDownload(request: RunRequest, excludedIds: readonly string[]) {
  const [saving, setSaving] = useState(false)
  const save = async (group: 'make' | 'skip', reason?: PreviewRow['reason']): Promise<void> => {
    setSaving(true)
    try {
      const input = {
        ...request,
        ...(excludedIds.length ? { excluded: excludedIds } : {}),
        group,
        ...(reason ? { reason } : {}),
      }
      await download(exportPreview, input, undefined, { timeout: 120_000 })
    } catch (e) {
      toast.error(toError(e).message)
    } finally {
      setSaving(false)
    }
  }
  return { saving, save }
}
