import { ArrowLeftOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ActionButton, MoreActions, useAllowedActions } from '#kit/web/action.tsx'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { buildColumns, withoutSorting, type Column } from '#kit/web/columns.tsx'
import { ErrorState, RowSkeleton, StateMessage } from '#kit/web/list/list-feedback.tsx'
import { useElementWidth } from '#kit/web/list/use-size.ts'
import { Paginator } from '#kit/web/paginator.tsx'
import { useCall } from '#kit/web/query.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { binDays } from '../contract/limits.ts'
import { listBin } from '../contract/node.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { menu, paths } from '../module.ts'
import { emptyBin, purgeSelection, restoreSelection } from './bin-operations.ts'
import { isNarrowToolbar, NameCell, useIsOneColumn } from './name-cell.tsx'
import { nodeKey, type FileNode } from './node.ts'
import { RemainingTime, showsSeconds, useElapsedSeconds } from './remaining-time.tsx'
import { pageSizes } from './use-file-address.ts'
import { useNodeSelection, type NodeSelection } from './use-node-selection.ts'
import './files.css'

const { permissions } = menu.file

/** 回收站: what was deleted in the last ten days, and how long it can still be restored (0§2). */
export default function RecycleBinPage() {
  const project = useChosenProject()
  return project ? <ProjectBin projectCode={project} key={project} /> : null
}

const columnsAt = (elapsed: number, isOneColumn: boolean): Column<FileNode>[] => {
  const secondsLeft = (node: FileNode): number => Math.max(0, (node.remainingSeconds ?? 0) - elapsed)
  const remaining = (node: FileNode) => <RemainingTime seconds={secondsLeft(node)} />
  const columns = buildColumns(listBin.output, [
    {
      key: 'name',
      width: 260,
      grow: 3,
      text: node => node.name,
      render: node => (
        <NameCell
          node={node}
          detail={
            isOneColumn ? (
              <>
                {secondsLeft(node) > 0 && '剩余 '}
                {remaining(node)} · {formatFileSize(node.fileSize)} · {node.deleteTime}
              </>
            ) : undefined
          }
        />
      ),
    },
    {
      key: 'fileSize',
      title: '大小',
      width: 120,
      align: 'right',
      text: node => formatFileSize(node.fileSize),
      render: node => formatFileSize(node.fileSize),
    },
    { key: 'folderPath', title: '原位置', width: 200, grow: 1, hidePriority: 1 },
    { key: 'deleteTime', width: 180 },
    {
      key: 'remainingSeconds',
      title: '剩余时间',
      width: 170,
      align: 'left',
      text: () => '',
      render: remaining,
    },
  ]).map(withoutSorting)
  return isOneColumn ? columns.slice(0, 1) : columns
}

const noRows: readonly FileNode[] = []

function useBin(projectCode: string) {
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState<number>(pageSizes[0])
  const list = useCall(
    listBin,
    { projectCode, page, size, ...(keyword.trim() && { keyword: keyword.trim() }) },
    { keepPrevious: true },
  )
  const rows = list.data?.rows ?? noRows
  return {
    keyword,
    search: (text: string): void => {
      setKeyword(text)
      setPage(1)
    },
    page,
    size,
    turn: (nextPage: number, nextSize: number): void => {
      setPage(nextPage)
      setSize(nextSize)
    },
    list,
    rows,
    total: list.data?.total ?? 0,
    elapsed: useElapsedSeconds(
      list.dataUpdatedAt,
      rows.some(row => showsSeconds(row.remainingSeconds ?? 0)),
    ),
  }
}

interface BinProps {
  readonly projectCode: string
  readonly bin: ReturnType<typeof useBin>
  readonly selection: NodeSelection
}

function BinToolbar({ projectCode, bin, selection }: BinProps) {
  const navigate = useNavigate()
  const allowed = useAllowedActions()
  const { nodes } = selection
  const bar = useRef<HTMLDivElement>(null)
  const isNarrow = isNarrowToolbar(useElementWidth(bar))
  const none = nodes.length ? undefined : '请先选择文件或文件夹'
  const purge = (): Promise<void> => purgeSelection(projectCode, nodes)
  useShortcuts([
    { keys: 'Ctrl A', label: '全选本页', run: selection.all, group: '回收站' },
    { keys: 'Escape', label: '取消选择', run: selection.clear, group: '回收站' },
  ])
  const actions = allowed([
    {
      label: '还原',
      needs: permissions.edit,
      disabledReason: none,
      run: () => restoreSelection(projectCode, nodes),
    },
    { label: '彻底删除', needs: permissions.purge, danger: true, run: purge },
    {
      label: '清空回收站',
      needs: permissions.purge,
      danger: true,
      disabledReason: bin.total ? undefined : '回收站是空的',
      run: () => emptyBin(projectCode, bin.total),
    },
  ])
  const shown = isNarrow ? actions.slice(0, 1) : actions
  return (
    <div
      ref={bar}
      className="toolbar file-toolbar"
      role="toolbar"
      aria-label="回收站操作"
      data-narrow={isNarrow}
    >
      <Button icon={<ArrowLeftOutlined />} aria-label="返回" onClick={() => void navigate(paths.manager)}>
        返回
      </Button>
      <span className="divider" />
      {shown.map(action => (
        <ActionButton key={action.label} action={action} />
      ))}
      <MoreActions actions={actions.slice(shown.length)} label="更多回收站操作" />
      <span className="file-count figure" role="status">
        {nodes.length > 0 && `已选 ${nodes.length} 项`}
      </span>
      <span className="spring" />
      <SearchInput
        className="file-search"
        placeholder="搜索文件名"
        aria-label="搜索回收站"
        value={bin.keyword}
        onChange={event => bin.search(event.target.value)}
      />
    </div>
  )
}

interface BinTableProps extends Omit<BinProps, 'projectCode'> {
  readonly isOneColumn: boolean
}

function BinTable({ bin, selection, isOneColumn }: BinTableProps) {
  const { list, rows, elapsed } = bin
  const columns = useMemo(() => columnsAt(elapsed, isOneColumn), [elapsed, isOneColumn])
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data)
    return (
      <div className="file-wait">
        <RowSkeleton rows={8} width={[260, 90, 140]} />
      </div>
    )
  if (!rows.length)
    return bin.keyword.trim() ? (
      <StateMessage text="无符合条件的文件" actions={[{ label: '清除搜索', run: () => bin.search('') }]} />
    ) : (
      <StateMessage text="回收站是空的" detail={`删除的文件在此保留 ${binDays} 天`} />
    )
  return (
    <div className="file-list">
      <DataTable
        rows={rows}
        columns={columns}
        keyOf={nodeKey}
        label="回收站"
        selection={{
          isSelected: key => selection.isSelected(String(key)),
          isAllSelected: selection.nodes.length === rows.length,
          isSomeSelected: selection.nodes.length > 0,
          setSelected: selection.set,
        }}
        busy={list.isPlaceholderData}
      />
    </div>
  )
}

function ProjectBin({ projectCode }: { readonly projectCode: string }) {
  const bin = useBin(projectCode)
  const selection = useNodeSelection(bin.rows, `${bin.keyword}/${bin.page}/${bin.size}`)
  const page = useRef<HTMLDivElement>(null)
  const isOneColumn = useIsOneColumn(page)
  return (
    <div ref={page} className="file-page">
      <BinToolbar projectCode={projectCode} bin={bin} selection={selection} />
      <BinTable bin={bin} selection={selection} isOneColumn={isOneColumn} />
      {bin.total > pageSizes[0] && (
        <Paginator total={bin.total} page={bin.page} size={bin.size} sizes={pageSizes} onChange={bin.turn} />
      )}
    </div>
  )
}
