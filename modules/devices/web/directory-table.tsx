import { FileOutlined, FolderFilled, HddOutlined, LinkOutlined } from '@ant-design/icons'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { formatFileSize } from '#kit/contract/text.ts'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import type { DirectoryEntry } from '../contract/agent-protocol.ts'
import { isFolder, siteTimeText } from './listing-rows.ts'
import { rootFolder, type RemoteDirectory } from './use-remote-directory.ts'

const typeTexts: Readonly<Record<DirectoryEntry['type'], string>> = {
  folder: '文件夹',
  file: '文件',
  drive: '根目录',
  link: '链接',
}

const typeIcons: Readonly<Record<DirectoryEntry['type'], ReactNode>> = {
  folder: <FolderFilled />,
  file: <FileOutlined />,
  drive: <HddOutlined />,
  link: <LinkOutlined />,
}

interface DirectoryTableProps {
  readonly directory: RemoteDirectory
  readonly selected: DirectoryEntry | undefined
  readonly onSelect: (entry: DirectoryEntry | undefined) => void
}

function FolderPath({ directory }: { readonly directory: RemoteDirectory }) {
  return (
    <nav className="directory-path" aria-label="当前位置">
      <ol>
        {directory.folders.map((folder, index) => (
          <li key={folder.path}>
            {index === directory.folders.length - 1 ? (
              <span aria-current="true">{folder.name}</span>
            ) : (
              <button type="button" className="linkish" onClick={() => directory.goTo(index)}>
                {folder.name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function DirectoryRow({
  entry,
  isSelected,
  isLeaf,
  onSelect,
  onOpen,
}: {
  readonly entry: DirectoryEntry
  readonly isSelected: boolean
  readonly isLeaf: boolean
  readonly onSelect: () => void
  readonly onOpen: () => void
}) {
  return (
    <tr aria-selected={isSelected} onClick={onSelect} onDoubleClick={onOpen}>
      <td className="ellipsis" title={entry.name}>
        <span className="directory-icon" data-type={entry.type}>
          {typeIcons[entry.type]}
        </span>
        {entry.name}
      </td>
      <td className="right">{entry.type === 'file' ? formatFileSize(entry.size) : '--'}</td>
      <td>{siteTimeText(entry.modified) || '--'}</td>
      <td>{isLeaf ? `${typeTexts[entry.type]}（无下级）` : typeTexts[entry.type]}</td>
    </tr>
  )
}

/** Shown instead of the rows: still loading, failed, or empty. */
function DirectoryState({ directory }: { readonly directory: RemoteDirectory }) {
  const { failure, entries, refresh, path } = directory
  if (failure) return <ErrorState error={new Error(failure)} onRetry={refresh} />
  if (entries) return <Empty text={path === rootFolder.path ? '该网关未开放任何文件夹' : '该文件夹为空'} />
  return <RowSkeleton rows={6} />
}

/** Name, size, modified date and type; a double click opens a folder (0§2). */
export function DirectoryTable({ directory, selected, onSelect }: DirectoryTableProps) {
  const [cursor, setCursor] = useState(0)
  const { entries = [], failure } = directory
  const move = (by: number): void => {
    const next = Math.min(Math.max(cursor + by, 0), entries.length - 1)
    setCursor(next)
    onSelect(entries[next])
  }
  const open = (entry: DirectoryEntry): void => {
    if (!isFolder(entry)) return
    setCursor(0)
    onSelect(undefined)
    directory.open(entry)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(selected ? 1 : 0),
    ArrowUp: () => move(-1),
    Enter: () => selected && open(selected),
    Backspace: () => {
      onSelect(undefined)
      directory.up()
    },
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const run = keys[event.key]
    if (run) {
      event.preventDefault()
      run()
    }
  }
  return (
    <>
      <FolderPath directory={directory} />
      <div className="directory-scroll scroll">
        <table className="directory" role="grid" aria-label="目录内容" tabIndex={0} onKeyDown={onKeyDown}>
          <thead>
            <tr>
              <th>名称</th>
              <th className="right">大小</th>
              <th>修改日期</th>
              <th>类型</th>
            </tr>
          </thead>
          <tbody>
            {!failure &&
              entries.map((entry, index) => (
                <DirectoryRow
                  key={entry.name}
                  entry={entry}
                  isSelected={entry === selected}
                  isLeaf={directory.isLeaf(entry)}
                  onSelect={() => {
                    setCursor(index)
                    onSelect(entry)
                  }}
                  onOpen={() => open(entry)}
                />
              ))}
          </tbody>
        </table>
        {(failure !== undefined || !entries.length) && <DirectoryState directory={directory} />}
      </div>
    </>
  )
}
