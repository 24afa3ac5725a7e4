import { useEffect, useRef, useState } from 'react'
import { formatFileSize } from '#kit/contract/text.ts'
import { downloadFile, downloadZip } from './download.ts'
import { NodeDialog, type NodeDialogProps } from './node-dialog.tsx'
import { MiddleEllipsis, NodeIcon } from './node-icon.tsx'
import { nodeKey, type FileNode } from './node.ts'

const isOneFile = ([first, ...others]: readonly FileNode[]): boolean =>
  first?.type === 'file' && others.length === 0

/** Bytes of the files; what folders hold is not known here. */
const bytesOf = (nodes: readonly FileNode[]): number =>
  nodes.reduce((sum, node) => sum + (node.fileSize ?? 0), 0)

function summaryOf(nodes: readonly FileNode[]): string {
  const files = nodes.filter(node => node.type === 'file')
  const folderCount = nodes.length - files.length
  return [
    ...(folderCount ? [`${folderCount} 个文件夹`] : []),
    ...(files.length ? [`${files.length} 个文件，共 ${formatFileSize(bytesOf(files))}`] : []),
  ].join('，')
}

/** What is about to be downloaded; a zip is waited for and can be stopped (0§2). */
export function DownloadDialog({ projectCode, nodes, onClose }: NodeDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const run = async (): Promise<void> => {
    setBusy(true)
    try {
      const [first] = nodes
      await (first && isOneFile(nodes)
        ? downloadFile(first)
        : downloadZip(projectCode, nodes, stop.current.signal))
      onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <NodeDialog
      action="下载"
      okLabel="下载"
      {...(isBusy && { cancelLabel: '停止下载' })}
      isBusy={isBusy}
      nodes={nodes}
      run={run}
      onClose={onClose}
    >
      <p className="download-summary">{summaryOf(nodes)}</p>
      <ul className="download-list scroll">
        {nodes.map(node => (
          <li key={nodeKey(node)}>
            <NodeIcon node={node} />
            <MiddleEllipsis text={node.name} />
            <small className="figure">
              {node.type === 'folder' ? `${node.itemCount ?? 0} 项` : formatFileSize(node.fileSize)}
            </small>
          </li>
        ))}
      </ul>
      {!isOneFile(nodes) && (
        <p role="status">{isBusy ? '正在打包下载，请稍候' : '打包为一个 zip 文件，保留文件夹结构'}</p>
      )}
    </NodeDialog>
  )
}
