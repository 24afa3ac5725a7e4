import type { InputRef } from 'antd'
import { useEffect, useRef } from 'react'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Paginator } from '#kit/web/paginator.tsx'
import { useSetting } from '#kit/web/user-settings.ts'
import { menu } from '../module.ts'
import { usePermission } from '#kit/web/session.ts'
import { FileArea } from './file-area.tsx'
import { FileBand, type FileLayout } from './file-header.tsx'
import { FileToolbar } from './file-toolbar.tsx'
import { FolderTree } from './folder-tree.tsx'
import { useDrop } from './use-drop.ts'
import { pageSizes } from './use-file-address.ts'
import { useFileActions } from './use-file-actions.tsx'
import { useFileKeys } from './use-file-keys.ts'
import { useFiles } from './use-files.ts'
import { useNodeFocus } from './use-node-focus.ts'
import { useNodeSelection } from './use-node-selection.ts'
import { useOpenNode } from './use-open-node.ts'
import { restoreUnfinished, useUploads } from './uploads.ts'
import { useUploadFiles } from './use-upload-files.ts'
import './files.css'

const FileDetails = lazyComponent(() => import('./file-details.tsx').then(m => m.FileDetails))
const FilePreview = lazyComponent(() => import('./file-preview.tsx').then(m => m.FilePreview))
const UploadPanel = lazyComponent(() => import('./upload-panel.tsx').then(m => m.UploadPanel))

/** 文件管理: the folders and files of the chosen project (0§2, picture 08). */
export default function FileManagerPage() {
  const project = useChosenProject()
  return project ? <ProjectFiles projectCode={project} key={project} /> : null
}

const defaultLayout: FileLayout = 'grid'

/** How many cards are in a line. */
const gridColumns = (area: HTMLElement | null): number => {
  const grid = area?.querySelector('.file-grid')
  return grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1
}

/** Labels and keywords are looked for in all folders of the project, wherever one is. */
const foundText = ({ label, keyword }: { readonly label: string; readonly keyword: string }): string => {
  if (label) return `全部文件夹中标签「${label}」`
  return keyword && `在全部文件夹中搜索「${keyword}」`
}

function Uploads() {
  const hasItems = useUploads().length > 0
  useEffect(restoreUnfinished, [])
  return hasItems ? <UploadPanel /> : null
}

function ProjectFiles({ projectCode }: { readonly projectCode: string }) {
  const hasPermission = usePermission()
  const [layout, setLayout] = useSetting<FileLayout>('files/layout', defaultLayout)
  const files = useFiles(projectCode)
  const { rows, address } = files
  const selection = useNodeSelection(rows, files.scope)
  const opening = useOpenNode({ rows, selection, scope: files.scope, openFolder: files.openFolder })
  const actions = useFileActions({ projectCode, files, selection })
  const area = useRef<HTMLDivElement>(null)
  const searchInput = useRef<InputRef>(null)
  const keys = useFileKeys({
    rows,
    selection,
    scope: files.scope,
    columns: () => gridColumns(area.current),
    open: opening.open,
    rename: actions.rename,
    remove: actions.canRemove ? () => void actions.remove() : undefined,
    up: () => files.openFolder(files.path.at(-2)?.id ?? 0),
    focusSearch: () => searchInput.current?.focus(),
    escape: () => (opening.detailed ? opening.closeDetails() : selection.clear()),
  })
  const focus = useNodeFocus({ area, ...actions, setCursorKey: keys.setCursorKey })
  const uploadFiles = useUploadFiles(projectCode, files)
  const canUpload = hasPermission(menu.file.permissions.add) && files.canChange && !files.isSearch
  const drop = useDrop(canUpload, uploadFiles)
  return (
    <div className="file-page" {...drop.handlers}>
      <FileToolbar
        selected={selection.nodes}
        inside={files.inside}
        canChange={files.canChange}
        isTop={address.dirId === 0}
        canKeepSpecial={files.canKeepSpecial}
        actions={actions}
        onFiles={chosen => uploadFiles(chosen, false)}
        onAddFolder={focus.addFolder}
        keyword={address.keyword}
        onSearch={files.search}
        searchInput={searchInput}
      />
      <FileBand
        projectCode={projectCode}
        path={files.path}
        found={foundText(address)}
        total={files.total}
        rowCount={rows.length}
        selection={selection}
        order={address.order}
        layout={layout}
        onFolder={files.openFolder}
        onEndSearch={() => files.search('')}
        onOrder={files.setOrder}
        onLayout={setLayout}
      />
      <div className="file-body">
        <nav className="file-side scroll" aria-label="文件夹">
          <Loaded query={files.tree} height={280} rows={5} width={[120]} keepsAnswer>
            {tree => (
              <FolderTree tree={tree} current={address.dirId} label="文件夹" onSelect={files.openFolder} />
            )}
          </Loaded>
        </nav>
        <div className="file-main" ref={area}>
          <FileArea
            files={files}
            layout={layout}
            selection={selection}
            cursor={keys.cursor}
            renaming={actions.renaming}
            onRenamed={focus.endRenaming}
            onClick={(index, how) => {
              keys.setCursor(index)
              opening.click(index, how)
            }}
            onOpen={opening.openClicked}
            onKey={keys.onKey}
            canUpload={canUpload}
          />
          {files.total !== undefined && files.total > pageSizes[0] && (
            <Paginator
              total={files.total}
              page={address.page}
              size={address.size}
              sizes={pageSizes}
              onChange={files.setPage}
            />
          )}
        </div>
        {opening.detailed && (
          <FileDetails
            node={opening.detailed}
            canEdit={hasPermission(menu.file.permissions.edit) && files.canChange}
            onLabel={files.showLabel}
            onPreview={opening.preview}
            onClose={opening.closeDetails}
          />
        )}
      </div>
      {drop.isOver && (
        <div className="file-drop" aria-hidden="true">
          松开即可上传到「{files.path.at(-1)?.name ?? '全部文件'}」
        </div>
      )}
      <Uploads />
      {actions.dialog}
      {opening.previewed !== undefined && (
        <FilePreview
          files={opening.files}
          index={opening.previewed}
          onIndex={opening.setPreviewed}
          onDownload={hasPermission(menu.file.permissions.download) ? actions.downloadOne : undefined}
          onClose={opening.closePreview}
        />
      )}
    </div>
  )
}
