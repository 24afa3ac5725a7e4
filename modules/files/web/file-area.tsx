import { CloudUploadOutlined } from '@ant-design/icons'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ErrorState, RowSkeleton, StateMessage } from '#kit/web/list/list-feedback.tsx'
import { maxImageBytes } from '../contract/limits.ts'
import type { FileLayout } from './file-header.tsx'
import { FileGrid } from './file-grid.tsx'
import type { FileViewProps } from './file-view.ts'
import type { Files } from './use-files.ts'

const waiting = (
  <div className="file-wait">
    <RowSkeleton rows={8} width={[260, 90, 140]} />
  </div>
)

// The table is heavy, and the cards are what most people see.
const FileList = lazyComponent(() => import('./file-list.tsx').then(m => m.FileList), waiting)

interface FileAreaProps extends Omit<FileViewProps, 'rows' | 'isSearch' | 'isBusy'> {
  readonly files: Files
  readonly layout: FileLayout
  readonly canUpload: boolean
}

const dropHint = `拖放文件至此处上传；图片不超过 ${maxImageBytes / 1024} KB`

/** The content of the folder, or what was found; else why there is nothing. */
export function FileArea({ files, layout, canUpload, ...view }: FileAreaProps) {
  const { list, rows, isSearch } = files
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (files.isFolderMissing)
    return (
      <StateMessage
        text="文件夹不存在或已被删除"
        actions={[{ label: '返回全部文件', run: () => files.openFolder(0) }]}
      />
    )
  if (!list.data) return waiting
  if (!rows.length)
    return isSearch ? (
      <StateMessage text="无符合条件的文件" actions={[{ label: '清除搜索', run: () => files.search('') }]} />
    ) : (
      <StateMessage text="文件夹为空" detail={canUpload ? dropHint : undefined} />
    )
  const shared = { ...view, rows, isSearch, isBusy: list.isPlaceholderData }
  return layout === 'list' ? (
    <FileList {...shared} order={files.address.order} onOrder={files.setOrder} />
  ) : (
    <div className="file-scroll scroll">
      <FileGrid {...shared} />
      {canUpload && (
        <p className="file-drop-hint">
          <CloudUploadOutlined /> {dropHint}
        </p>
      )}
    </div>
  )
}
