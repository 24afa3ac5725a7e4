import { useMemo, useRef, type MouseEvent } from 'react'
import { buildColumns, type Column } from '#kit/web/columns.tsx'
import { DataTable, type SortOrder } from '#kit/web/table/data-table.tsx'
import { listNodes } from '../contract/node.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { closestElement } from './closest-element.ts'
import type { FileViewProps } from './file-view.ts'
import { NameCell, useIsOneColumn } from './name-cell.tsx'
import { nodeKey, type FileNode } from './node.ts'
import { RenameInput } from './rename-input.tsx'

const sizeText = (node: FileNode): string =>
  node.type === 'folder' ? `${node.itemCount ?? 0} 项` : formatFileSize(node.fileSize)

interface ColumnOptions {
  readonly renaming: string | undefined
  readonly onRenamed: () => void
  readonly isSearch: boolean
  readonly isOneColumn: boolean
}

const columnsFor = ({ renaming, onRenamed, isSearch, isOneColumn }: ColumnOptions): Column<FileNode>[] => {
  const detailOf = (node: FileNode): string =>
    isSearch ? (node.folderPath ?? '') : `${sizeText(node)} · ${node.updateTime ?? ''}`
  const columns = buildColumns(listNodes.output, [
    {
      key: 'name',
      width: 240,
      grow: 3,
      identity: true,
      sortKey: 'name',
      text: node => node.name,
      render: node => (
        <NameCell node={node} detail={isOneColumn ? detailOf(node) : undefined}>
          {renaming === nodeKey(node) ? <RenameInput node={node} onDone={onRenamed} /> : undefined}
        </NameCell>
      ),
    },
    ...(isSearch ? [{ key: 'folderPath', width: 180, grow: 1, sortKey: undefined } as const] : []),
    {
      key: 'fileSize',
      title: '大小',
      width: 110,
      align: 'right',
      sortKey: 'fileSize',
      text: sizeText,
      render: sizeText,
    },
    { key: 'fileLabel', width: 140, grow: 1, sortKey: undefined, hidePriority: 1 },
    { key: 'uploaderName', width: 100, sortKey: undefined, hidePriority: 2 },
    { key: 'updateTime', width: 170, sortKey: 'updateTime' },
  ])
  return isOneColumn ? columns.slice(0, 1) : columns
}

export const readOrder = (order: string): SortOrder => ({
  key: order.replace(/^-/, ''),
  descending: order.startsWith('-'),
})

interface FileListProps extends FileViewProps {
  readonly order: string
  readonly onOrder: (order: string) => void
}

/** The files as a table, sorted by its headings. */
export function FileList({
  rows,
  selection,
  cursor,
  renaming,
  onRenamed,
  isSearch,
  order,
  onOrder,
  ...view
}: FileListProps) {
  const box = useRef<HTMLDivElement>(null)
  const isOneColumn = useIsOneColumn(box)
  const columns = useMemo(
    () => columnsFor({ renaming, onRenamed, isSearch, isOneColumn }),
    [renaming, onRenamed, isSearch, isOneColumn],
  )
  const onRow = (event: MouseEvent, onIndex: (index: number) => void): void => {
    const row = closestElement(event.target, 'tr[data-i]')
    if (row && !closestElement(event.target, '.tick, input')) {
      onIndex(Number(row.dataset.i))
    }
  }
  return (
    <div
      ref={box}
      className="file-list"
      role="presentation"
      onClick={event =>
        onRow(event, index =>
          view.onClick(index, {
            shift: event.shiftKey,
            ctrl: event.ctrlKey || event.metaKey,
            isRepeated: event.detail > 1,
          }),
        )
      }
      onDoubleClick={event => onRow(event, () => view.onOpen())}
    >
      <DataTable
        rows={rows}
        columns={columns}
        keyOf={nodeKey}
        label="文件"
        order={readOrder(order)}
        onOrder={next => onOrder(next ? `${next.descending ? '-' : ''}${next.key}` : 'name')}
        selection={{
          isSelected: key => selection.isSelected(String(key)),
          isAllSelected: rows.length > 0 && selection.nodes.length === rows.length,
          isSomeSelected: selection.nodes.length > 0,
          setSelected: selection.set,
        }}
        current={cursor}
        busy={view.isBusy}
        onKey={view.onKey}
      />
    </div>
  )
}
