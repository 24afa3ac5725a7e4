import { Button, type InputRef } from 'antd'
import {
  CloudUploadOutlined,
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EditOutlined,
  FolderAddOutlined,
  SendOutlined,
  ShareAltOutlined,
  SwapOutlined,
} from '@ant-design/icons'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { ActionButton, MoreActions, useAllowedActions, type Action } from '#kit/web/action.tsx'
import { DropdownMenu } from '#kit/web/dropdown.tsx'
import { useElementWidth } from '#kit/web/list/use-size.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { usePermission } from '#kit/web/session.ts'
import { actionsFor, type DirectoryType, type PushAction } from '../domain/file-actions.ts'
import { menu } from '../module.ts'
import { isNarrowToolbar } from './name-cell.tsx'
import { toSelected, type FileNode } from './node.ts'
import { filePushers } from './public.actions.ts'

const { permissions } = menu.file

export interface SelectionActions {
  readonly share: () => unknown
  readonly download: () => unknown
  readonly move: () => unknown
  readonly copy: () => unknown
  readonly rename: () => unknown
  readonly push: (action: PushAction) => unknown
  readonly remove: () => unknown
}

interface FileToolbarProps {
  readonly selected: readonly FileNode[]
  readonly inside: DirectoryType
  /** Every change in a special folder needs the permission to manage it. */
  readonly canChange: boolean
  readonly isTop: boolean
  readonly canKeepSpecial: boolean
  readonly actions: SelectionActions
  readonly onFiles: (files: readonly File[]) => void
  readonly onAddFolder: (type: DirectoryType) => unknown
  readonly keyword: string
  readonly onSearch: (keyword: string) => void
  readonly searchInput: RefObject<InputRef | null>
}

const pushLabels: readonly (readonly [action: PushAction, label: string])[] = [
  ['push', '推送文件'],
  ['pushKernel', '推送内核'],
  ['pushPackage', '推送接口包'],
]

/** 0§2: what the selection offers; nothing without one. */
function useSelectionActions({ selected, inside, canChange, actions }: FileToolbarProps): Action[] {
  const offered = actionsFor(selected.map(toSelected), inside)
  const allowed = useAllowedActions()
  const [pusher] = filePushers.useAll()
  return allowed([
    offered.has('share') && {
      label: '分享',
      icon: <ShareAltOutlined />,
      needs: permissions.share,
      run: actions.share,
    },
    offered.has('download') && {
      label: '下载',
      icon: <DownloadOutlined />,
      needs: permissions.download,
      run: actions.download,
    },
    offered.has('move') &&
      canChange && { label: '移动到', icon: <SwapOutlined />, needs: permissions.edit, run: actions.move },
    offered.has('copy') && {
      label: '复制到',
      icon: <CopyOutlined />,
      needs: permissions.add,
      run: actions.copy,
    },
    offered.has('rename') &&
      canChange && { label: '重命名', icon: <EditOutlined />, needs: permissions.edit, run: actions.rename },
    ...pushLabels.map(
      ([action, label]) =>
        pusher !== undefined &&
        offered.has(action) && {
          label,
          icon: <SendOutlined />,
          needs: pusher.needs[action],
          run: () => actions.push(action),
        },
    ),
    offered.has('delete') &&
      canChange && {
        label: '删除',
        icon: <DeleteOutlined />,
        needs: permissions.del,
        danger: true,
        run: actions.remove,
      },
  ])
}

function UploadButton({ onFiles }: Pick<FileToolbarProps, 'onFiles'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        type="primary"
        icon={<CloudUploadOutlined />}
        aria-label="上传"
        onClick={() => input.current?.click()}
      >
        上传
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="选择要上传的文件"
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

function NewFolderButton({ isTop, canKeepSpecial, onAddFolder }: FileToolbarProps) {
  const button = (
    <Button icon={<FolderAddOutlined />} aria-label="新建文件夹">
      新建文件夹
    </Button>
  )
  if (!isTop || !canKeepSpecial)
    return (
      <ActionButton
        action={{ label: '新建文件夹', icon: <FolderAddOutlined />, run: () => onAddFolder('ordinary') }}
      />
    )
  return (
    <DropdownMenu
      menu={close => ({
        items: [
          { key: 'ordinary', label: '普通目录' },
          { key: 'push', label: '推送目录' },
          { key: 'kernel', label: '内核目录' },
        ],
        onClick: ({ key }) => {
          close()
          void onAddFolder(key === 'push' || key === 'kernel' ? key : 'ordinary')
        },
      })}
    >
      {button}
    </DropdownMenu>
  )
}

const searchDelayMs = 400

function FileSearch({
  keyword,
  onSearch,
  searchInput,
}: Pick<FileToolbarProps, 'keyword' | 'onSearch' | 'searchInput'>) {
  const [text, setText] = useState(keyword)
  useEffect(() => setText(keyword), [keyword])
  useEffect(() => {
    if (text.trim() === keyword) return undefined
    const timer = setTimeout(() => onSearch(text.trim()), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <SearchInput
      ref={searchInput}
      className="file-search"
      placeholder="搜索文件名、拼音或标签"
      aria-label="搜索文件"
      value={text}
      onChange={event => setText(event.target.value)}
      onPressEnter={() => onSearch(text.trim())}
    />
  )
}

/** What is beside the actions on a selection: uploading, a new folder, ⋯ and the search. */
const otherWidth = 580
const moreWidth = 40

/** How many buttons fit into so many pixels. */
function fittingCount(actions: readonly Action[], width: number): number {
  let used = 0
  const overflowing = actions.findIndex(({ label }) => {
    used += 56 + 14 * label.length
    return used > width
  })
  const isLastAlone = overflowing === actions.length - 1 && used <= width + moreWidth
  return overflowing < 0 || isLastAlone ? actions.length : overflowing
}

export function FileToolbar(props: FileToolbarProps) {
  const selectionActions = useSelectionActions(props)
  const hasPermission = usePermission()
  const bar = useRef<HTMLDivElement>(null)
  const width = useElementWidth(bar)
  const isNarrow = isNarrowToolbar(width)
  const buttonCount = isNarrow ? 0 : fittingCount(selectionActions, width - otherWidth)
  return (
    <div
      ref={bar}
      className="toolbar file-toolbar"
      role="toolbar"
      aria-label="文件操作"
      data-narrow={isNarrow}
    >
      {hasPermission(permissions.add) && props.canChange && (
        <>
          <UploadButton onFiles={props.onFiles} />
          <NewFolderButton {...props} />
        </>
      )}
      {selectionActions.length > 0 && <span className="divider" />}
      {selectionActions.slice(0, buttonCount).map(action => (
        <ActionButton key={action.label} action={action} />
      ))}
      <MoreActions actions={selectionActions.slice(buttonCount)} label="更多文件操作" />
      <span className="spring" />
      <FileSearch {...props} />
    </div>
  )
}
