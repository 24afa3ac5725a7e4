import { useEffect, useRef, useState } from 'react'
import { formatFileSize } from '#kit/contract/text.ts'
import { errorSentence } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { measureNodes } from '../contract/transfer.ts'
import { downloadSummary } from './download-summary.ts'
import { downloadFile, downloadZip } from './download.ts'
import { NodeDialog, type NodeDialogProps } from './node-dialog.tsx'
import { MiddleEllipsis, NodeIcon } from './node-icon.tsx'
import { nodeKey, selectionInput, type FileNode } from './node.ts'

const isOneFile = ([first, ...others]: readonly FileNode[]): boolean =>
  first?.type === 'file' && others.length === 0

/** How much the browser can still keep on this computer: nothing where it does not tell. */
function useAvailableBytes(): number | undefined {
  const [bytes, setBytes] = useState<number>()
  useEffect(() => {
    // Absent outside secure contexts.
    const storage = navigator.storage as StorageManager | undefined
    storage?.estimate().then(
      ({ quota, usage }) => quota !== undefined && setBytes(Math.max(0, quota - (usage ?? 0))),
      () => {},
    )
  }, [])
  return bytes
}

/** What the download brings, and whether this computer has room for it. */
function DownloadSummary({ projectCode, nodes }: Omit<NodeDialogProps, 'onClose'>) {
  const { data } = useCall(measureNodes, { projectCode, ...selectionInput(nodes) })
  const availableBytes = useAvailableBytes()
  const isShort = data !== undefined && availableBytes !== undefined && data.fileSize > availableBytes
  return (
    <>
      <p className="download-summary">{data ? downloadSummary(nodes, data) : '正在统计大小'}</p>
      {availableBytes !== undefined && (
        <p className="download-summary" role={isShort ? 'alert' : undefined}>
          {`本机可用空间约 ${formatFileSize(availableBytes)}`}
          {isShort && '，空间不足，请分批下载'}
        </p>
      )}
    </>
  )
}

/** What is about to be downloaded; a zip is waited for and can be stopped (0§2). */
export function DownloadDialog({ projectCode, nodes, onClose }: NodeDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const run = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const [first] = nodes
      await (first && isOneFile(nodes)
        ? downloadFile(first)
        : downloadZip(projectCode, nodes, stop.current.signal))
      onClose()
    } catch (error) {
      if (!stop.current.signal.aborted) {
        setFailure(errorSentence(error))
      }
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
      <DownloadSummary projectCode={projectCode} nodes={nodes} />
      <ScrollRegion label="下载内容" className="download-list">
        <ul>
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
      </ScrollRegion>
      {failure !== undefined && (
        <p className="file-failure" role="alert">
          {failure}
        </p>
      )}
      {!isOneFile(nodes) && (
        <p role="status">{isBusy ? '正在打包下载，请稍候' : '打包为一个 zip 文件，保留文件夹结构'}</p>
      )}
    </NodeDialog>
  )
}
