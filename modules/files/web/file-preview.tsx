import { Button, Modal } from 'antd'
import { DownloadOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Loaded } from '#kit/web/loaded.tsx'
import { findTopOverlay } from '#kit/web/open-overlay.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { fileKindOf, previewTextBytes } from '../domain/file-kind.ts'
import type { FileNode } from './node.ts'
import './file-preview.css'

/** UTF-8, else what Chinese offices save text in. Cut in the middle of a character, UTF-8 stays UTF-8. */
function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

async function readText(address: string): Promise<string> {
  const response = await fetch(address)
  if (!response.ok || /json/.test(response.headers.get('content-type') ?? ''))
    throw new Error('加载失败，请刷新后重试')
  return decodeText(await response.arrayBuffer())
}

function TextPreview({ address, size }: { readonly address: string; readonly size: number }) {
  const query = useQuery({
    queryKey: ['file-text', address],
    queryFn: () => readText(address),
    staleTime: Infinity,
  })
  return (
    <Loaded query={query} height={320} rows={6}>
      {text => (
        <div className="preview-text">
          <textarea readOnly value={text} aria-label="文件内容" />
          {size > previewTextBytes && <p>仅显示前 {formatFileSize(previewTextBytes)}，请下载后查看全文</p>}
        </div>
      )}
    </Loaded>
  )
}

/** Never runs a file: pictures and media have their own elements, PDF the browser's, all else is text. */
function Content({ node }: { readonly node: FileNode }) {
  const address = node.preview
  if (!address) return <p className="preview-none">此类型暂不支持预览，请下载后查看</p>
  switch (fileKindOf(node.name)) {
    case 'image':
      return <img src={address} alt={node.name} />
    case 'pdf':
      // The server has looked at the bytes.
      // oxlint-disable-next-line react/iframe-missing-sandbox -- the browser's viewer does not run in one
      return <iframe src={address} title={node.name} />
    case 'video':
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording has no captions to offer
      return <video src={address} controls autoPlay aria-label={node.name} />
    case 'audio':
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- nor has a sound
      return <audio src={address} controls aria-label={node.name} />
    default:
      return <TextPreview address={address} size={node.fileSize ?? 0} />
  }
}

interface FilePreviewProps {
  readonly files: readonly FileNode[]
  readonly index: number
  readonly onIndex: (index: number) => void
  readonly onDownload: ((node: FileNode) => void) | undefined
  readonly onClose: () => void
}

/** One file over the page; the arrow keys go to its neighbours. */
export function FilePreview({ files, index, onIndex, onDownload, onClose }: FilePreviewProps) {
  const node = files[index]
  const footer = useRef<HTMLDivElement>(null)
  const step = (by: 1 | -1): void => {
    if (files[index + by]) {
      onIndex(index + by)
    }
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isPlaying = event.target instanceof HTMLMediaElement
      const isOnTop = findTopOverlay()?.contains(footer.current) === true
      if (isPlaying || !isOnTop || event.altKey || event.ctrlKey) return
      if (event.key === 'ArrowLeft') {
        step(-1)
      }
      if (event.key === 'ArrowRight') {
        step(1)
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  if (!node) return null
  return (
    <Modal
      open
      centered
      width="min(1120px, calc(100vw - 32px))"
      className="file-preview"
      title={<span className="ellipsis">{node.name}</span>}
      onCancel={onClose}
      footer={
        <div className="move-foot" ref={footer}>
          <Button
            icon={<LeftOutlined />}
            aria-label="上一个"
            disabled={index === 0}
            title={index === 0 ? '已是第一个' : undefined}
            onClick={() => step(-1)}
          />
          <Button
            icon={<RightOutlined />}
            aria-label="下一个"
            disabled={index === files.length - 1}
            title={index === files.length - 1 ? '已是最后一个' : undefined}
            onClick={() => step(1)}
          />
          <span className="figure">
            {index + 1} / {files.length}
          </span>
          <span className="spring" />
          {onDownload && (
            <Button icon={<DownloadOutlined />} aria-label="下载" onClick={() => onDownload(node)}>
              下载
            </Button>
          )}
        </div>
      }
    >
      <div className="preview-body" key={node.id}>
        <Content node={node} />
      </div>
    </Modal>
  )
}
